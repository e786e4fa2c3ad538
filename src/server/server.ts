/**
 * The receiver and the built site in one HTTP server, which sends the headers of the site's policy
 * with every response. The only module that imports Fastify, which provides the addresses behind
 * proxies and the request lifecycle.
 */
import { METHODS } from 'node:http'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { pathAt, RECEIPTS } from '../page/address.ts'
import type { FormPage } from '../page/page.ts'
import type { Config } from './config.ts'
import type { openSite } from './files/open-site.ts'
import { createPolicyServer, readBody } from './http.ts'
import type { Alarm } from './jobs/alarm.ts'
import { formatFields } from './jobs/message.ts'
import { receiptDocument, refusalDocument } from './receive/answer-documents.tsx'
import { describeUnsent, type Refusal, refusals } from './receive/answers.ts'
import {
  faultsOf,
  isFromElsewhere,
  isUrlEncodedForm,
  KEPT,
  LARGEST,
  OTHER_FIELDS,
  parseFields,
  sortOut,
} from './receive/request.ts'
import { createCounter } from './receive/visitors.ts'
import type { Store } from './store/store.ts'
import { type Field, HOUR, StoreError } from './store/submission.ts'

export interface ReceiverParts {
  /** The built site. */
  site: ReturnType<typeof openSite>
  /** Undefined for a site without forms. */
  store: Store | undefined
  config: Pick<
    Config,
    'mail' | 'channels' | 'withSpam' | 'rateLimit' | 'trustedOrigins' | 'trustedProxies'
  >
  log: Logger
  alarm?: Alarm | undefined
}

const PREFIX = '/api/forms'
const FORMS = `${PREFIX}/*`
const RECEIPT = /^[0-9a-z-]+$/
const MINUTE = 60_000
const [HTML, TEXT] = ['text/html; charset=utf-8', 'text/plain; charset=utf-8']

/** How many mails of their own the submissions of one visitor get in an hour. */
const MAILS_OF_ONE = 3

/** How long a check of the store is reused, so that clients cannot make the disk write at will. */
const CHECK_FOR = 1_000

export async function createReceiver({ site, store, config, log, alarm }: ReceiverParts) {
  const { base, dataset } = site
  const pages = new Map(site.pages.map((page) => [page.path, page]))

  // 1. Fastify, on a custom server ---------------------------------------------------------------

  const app = fastify({
    serverFactory: (handle) =>
      createPolicyServer(site.headers, handle, undefined, config.trustedProxies),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    exposeHeadRoutes: false,
    // The routes below are those of a site at the root.
    rewriteUrl: ({ url = '/' }) => (url.startsWith(`${base}/`) ? url.slice(base.length) : url),
    // The server answers them itself.
    clientErrorHandler: () => {},
    frameworkErrors: (_error, request, reply) => sendFile(request, reply),
  })
  // For Fastify, no method has a body: the receiver reads them itself, also those that are too large.
  for (const method of METHODS) app.addHttpMethod(method, { overrideExisting: true })
  const countSubmission = createCounter(MINUTE)
  const countMail = createCounter(HOUR)
  const hasManyMails = (address: string) =>
    config.mail?.most !== Infinity && countMail(address).count > MAILS_OF_ONE

  app.addHook('onSend', async (_request, reply) => {
    if (!server.listening) reply.header('Connection', 'close')
  })
  app.setErrorHandler((error: NodeJS.ErrnoException, request, reply) => {
    // A visitor who has gone needs no answer.
    if (error.code !== 'ECONNRESET') log.error({ err: error }, 'failed')
    return tell(request, reply, refusals.failed)
  })
  app.all(FORMS, receive)
  app.all(`${RECEIPTS}:receipt`, showReceipt)
  app.all('/healthz', async (request, reply) =>
    isRead(request) ? send(reply, 200, TEXT, 'ok\n') : tell(request, reply, refusals.onlyRead),
  )
  app.all('/readyz', showReadiness)
  app.setNotFoundHandler(sendFile)
  await app.ready()
  const { server } = app

  // 2. Requests ----------------------------------------------------------------------------------

  async function receive(request: FastifyRequest, reply: FastifyReply) {
    const [target = ''] = request.originalUrl.split('?')
    const page = pages.get(pathAt(target, base + PREFIX))
    const early = refusalOf(request)
    const body = await readBody(request.raw, KEPT)
    const most = (page?.form?.fields.length ?? 0) + OTHER_FIELDS
    const isForm = request.method === 'POST' && isUrlEncodedForm(request.headers)
    const fields = body && isForm ? parseFields(body, most + 1) : undefined
    const path = page?.path
    const refuse = (refusal: Refusal) => {
      log.info({ path, status: refusal.status }, 'refused')
      return tell(request, reply, refusal, { page, fields })
    }
    if (!page?.form || !store) return refuse(refusals.notFound)
    if (early) return refuse(early)
    if (!body) return refuse(refusals.muchTooLarge)
    if (body.length > LARGEST) return refuse(refusals.tooLarge)
    if (!fields) return refuse(refusals.malformed)
    if (fields.length > most) return refuse(refusals.tooManyFields(most))
    const faults = faultsOf(page.form, fields)
    if (faults.length > 0) return refuse(refusals.invalid(faults))
    try {
      const sent = sortOut(fields)
      const channels = config.withSpam || !sent.isSuspect ? config.channels : []
      const isListed = channels.includes('mail') && hasManyMails(request.ip)
      const stored = await store.add({ path: page.path, dataset, channels, isListed, ...sent })
      log.info({ path, receipt: stored.receipt, isRepeat: stored.isRepeat }, 'stored')
      const Location = base + RECEIPTS + stored.receipt
      return send(reply, 303, TEXT, '', { Location })
    } catch (error) {
      const { message: reason } = error as Error
      const isKnown = error instanceof StoreError
      log.error(isKnown ? { path, reason } : { err: error }, 'not stored')
      alarm?.('notStored', reason)
      return refuse(isKnown && error.mayBeStored ? refusals.perhapsStored : refusals.notStored)
    }
  }

  /** Returns why to refuse a post before its body is read, or undefined. */
  function refusalOf({ method, headers, host, ip }: FastifyRequest): Refusal | undefined {
    if (method !== 'POST') return refusals.onlyPost
    if (isFromElsewhere({ ...headers, host }, config.trustedOrigins)) return refusals.fromElsewhere
    if (!isUrlEncodedForm(headers)) return refusals.mediaType
    if (config.rateLimit === 0) return undefined
    const { count, seconds } = countSubmission(ip)
    return count > config.rateLimit ? refusals.tooMany(seconds) : undefined
  }

  async function showReceipt(request: FastifyRequest, reply: FastifyReply) {
    if (!isRead(request)) return tell(request, reply, refusals.onlyRead)
    const { receipt } = request.params as { receipt: string }
    try {
      const found = RECEIPT.test(receipt) ? await store?.find(receipt) : undefined
      if (!found) return tell(request, reply, refusals.noReceipt)
      return send(reply, 200, HTML, receiptDocument(site, found))
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      log.error({ reason: error.message }, 'looking up a receipt failed')
      return tell(request, reply, refusals.noAnswer)
    }
  }

  /** Resolves to undefined when submissions cannot be stored. */
  async function checkStore(): Promise<string | undefined> {
    try {
      await store?.check()
      const unsent = store && describeUnsent(await store.outbox.unsent(0))
      return unsent ? `ready; ${unsent}` : 'ready'
    } catch (error) {
      const { message: reason } = error as Error
      log.error({ reason }, 'not ready')
      alarm?.('notStored', reason)
      return undefined
    }
  }

  let lastCheck = { at: -Infinity, state: Promise.resolve<string | undefined>(undefined) }
  async function showReadiness(request: FastifyRequest, reply: FastifyReply) {
    if (!isRead(request)) return tell(request, reply, refusals.onlyRead)
    const now = performance.now()
    if (now - lastCheck.at >= CHECK_FOR) lastCheck = { at: now, state: checkStore() }
    const state = await lastCheck.state
    return state
      ? send(reply, 200, TEXT, `${state}\n`)
      : send(reply, 503, TEXT, 'not ready: submissions cannot be stored\n')
  }

  async function sendFile(request: FastifyRequest, reply: FastifyReply) {
    const { method, originalUrl: url, headers } = request
    const { status, headers: own, body } = site.answer({ method, url, headers })
    return reply.code(status).headers(own).send(body)
  }

  // 3. Responses ---------------------------------------------------------------------------------

  /** Says why a request is refused, and gives back what was sent, if it could be read. */
  async function tell(
    request: FastifyRequest,
    reply: FastifyReply,
    refusal: Refusal,
    { page, fields }: { page?: FormPage | undefined; fields?: readonly Field[] | undefined } = {},
  ) {
    const { status, title, detail, headers = {} } = refusal
    reply.headers(headers)
    if (refusal === refusals.notFound && !fields?.length) return sendFile(request, reply)
    // With no-store, Back from the receipt would lead to an error page of the browser.
    const more = fields ? { 'Cache-Control': 'private, no-cache' } : {}
    try {
      return send(reply, status, HTML, refusalDocument(site, refusal, page, fields), more)
    } catch (error) {
      // The form is a component that an adopter may change.
      log.error({ err: error }, 'a refusal cannot be shown')
      const text = `${title}\n\n${detail}\n${formatFields(fields ?? [])}`
      return send(reply, status, TEXT, text, more)
    }
  }

  return {
    server,

    /** Finishes requests in flight, refuses new ones, and ends within the given milliseconds. */
    async close(milliseconds: number) {
      const end = setTimeout(() => server.closeAllConnections(), milliseconds)
      await new Promise((resolve) => server.close(resolve))
      clearTimeout(end)
      await app.close()
    },
  }
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Sends a response that is for one person only, so nothing may cache it unless it says otherwise. */
function send(reply: FastifyReply, status: number, type: string, body: string, more = {}) {
  const common = { 'Cache-Control': 'no-store', 'Content-Type': type }
  return reply
    .code(status)
    .headers({ ...common, ...more })
    .send(body)
}
