/** A real mail server for tests, which keeps what it accepts, and can be told to misbehave. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

export interface Mail {
  headers: Record<string, string>
  /** Decoded, with LF as the line break. */
  text: string
  /** The envelope's sender and recipients. */
  envelope: string[]
}

/** What the server does with a message that it has read. */
type Answer =
  | 'accept'
  /** Refuses with this reply. */
  | { code: number; words: string }
  /** Keeps the message, and breaks the connection in the middle of the reply. */
  | 'cut off'
  /** Keeps the message, and replies when the promise resolves. */
  | Promise<void>

/** @param password the password of the user `owner`; without one, nobody logs in */
export async function startMailServer({ password = '', atEnd = onTestFinished } = {}) {
  const mails: Mail[] = []
  let answer: (raw: string) => Answer = () => 'accept'
  const refusedRecipients = new Map<string, { code: number; words: string }>()
  let server: SMTPServer
  const listen = async (port: number) => {
    server = new SMTPServer({
      disabledCommands: password === '' ? ['STARTTLS', 'AUTH'] : [],
      disableReverseLookup: true,
      logger: false,
      onAuth: ({ username, password: given }, _session, done) =>
        username === 'owner' && given === password
          ? done(null, { user: 'owner' })
          : done(new Error('Username and password not accepted')),
      onRcptTo: ({ address }, _session, done) => {
        const refusal = refusedRecipients.get(address)
        done(refusal && Object.assign(new Error(refusal.words), { responseCode: refusal.code }))
      },
      async onData(stream, { envelope }, done) {
        const raw = await text(stream)
        const now = answer(raw)
        if (typeof now === 'object' && 'code' in now) {
          done(Object.assign(new Error(now.words), { responseCode: now.code }))
          return
        }
        const { mailFrom, rcptTo } = envelope
        const people = [mailFrom || { address: '' }, ...rcptTo].map(({ address }) => address)
        mails.push({ ...parse(raw), envelope: people })
        if (now === 'cut off') {
          for (const { _socket: socket } of server.connections) (socket as Socket).end('250 O')
          return
        }
        await (now === 'accept' ? undefined : now)
        done()
      },
    })
    server.on('error', () => {})
    server.listen(port, '127.0.0.1')
    await once(server.server, 'listening')
    return (server.server.address() as { port: number }).port
  }
  const stop = () => {
    for (const { _socket: socket } of server.connections) socket.destroy()
    return new Promise<void>((resolve) => server.close(resolve))
  }
  const port = await listen(0)
  atEnd(stop)
  const login = password === '' ? '' : `owner:${encodeURIComponent(password)}@`
  return {
    port,
    url: `smtp://${login}127.0.0.1:${port}/?tls.rejectUnauthorized=false`,
    /** In the order in which they came, including those that were cut off. */
    mails,
    /** Sets the answer to all messages, or to each by its text as it was sent. */
    answer(next: Answer | ((raw: string) => Answer)) {
      answer = typeof next === 'function' ? next : () => next
    },
    /** Refuses this recipient from now on. */
    refuse(address: string, code = 550, words = 'No such user') {
      refusedRecipients.set(address, { code, words })
    },
    /** Accepts every recipient again. */
    refuseNobody: () => refusedRecipients.clear(),
    stop,
    start: () => listen(port),
    /** How many connections are open. */
    connections: () => server.connections.size,
  }
}

function parse(raw: string): Omit<Mail, 'envelope'> {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(': ')
      return [name.toLowerCase(), value.join(': ')]
    }),
  )
  const body = rest.join('\r\n\r\n')
  const decoders: Record<string, (body: string) => Buffer> = {
    base64: (body) => Buffer.from(body, 'base64'),
    'quoted-printable': fromQuotedPrintable,
  }
  const decode = decoders[headers['content-transfer-encoding'] ?? ''] ?? Buffer.from
  return { headers, text: String(decode(body)).replaceAll('\r\n', '\n') }
}

/** RFC 2045, 6.7. */
function fromQuotedPrintable(body: string): Buffer {
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}
