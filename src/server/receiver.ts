/** The receiver and the built site in one HTTP server. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { Logger } from 'pino'
import { pathAt, RECEIPTS } from '../page/address.ts'
import type { FormPage } from '../page/page.ts'
import type { Config } from './config.ts'
import type { FileResponse, openSite } from './files/open-site.ts'
import { createPolicyServer, readBody } from './http.ts'
import type { Alarm } from './jobs/alarm.ts'
import { describeUnsent, formatFields } from './jobs/message.ts'
import { receiptDocument, refusalDocument } from './receive/answer-documents.tsx'
import { type Refusal, refusals } from './receive/refusals.ts'
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
import type { Store } from './store/open-store.ts'
import { HOUR, MINUTE, type SentField, StoreError } from './store/submission.ts'

export interface ReceiverParts {
  site: ReturnType<typeof openSite>
  /** Undefined for a site without forms. */
  store: Store | undefined
  config: Config
  log: Logger
  alarm?: Alarm | undefined
}

const FORMS = '/api/forms'
const HTML = 'text/html; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'

/** How many mails of their own the submissions of one visitor get in an hour. */
const MAILS_OF_ONE = 3

/** How long a check of the store is reused, so that clients cannot make the disk write at will. */
const CHECK_FOR = 1_000

export function createReceiver({ site, store, config, log, alarm }: ReceiverParts) {
  const { base, dataset } = site
  const pages = new Map(site.pages.map((page) => [page.path, page]))
  const isProxy = proxyAddr.compile(config.trustedProxies)
  const server = createPolicyServer(site.headers, handle, undefined, isProxy)
  const countSubmission = createCounter(MINUTE)
  const countMail = createCounter(HOUR)
  const hasManyMails = (address: string) =>
    config.mail?.most !== Infinity && countMail(address).count > MAILS_OF_ONE

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const { status, headers, body } = await answer(request).catch((error) => {
      // A visitor who has gone needs no answer.
      if (error.code !== 'ECONNRESET') log.error({ err: error }, 'failed')
      return tell(refusals.failed)
    })
    response.statusCode = status
    response.setHeaders(new Map(Object.entries(headers)))
    if (!server.listening) response.setHeader('Connection', 'close')
    response.end(body)
  }

  // 1. Requests ----------------------------------------------------------------------------------

  async function answer(request: IncomingMessage): Promise<FileResponse> {
    const { method = '', url = '' } = request
    const [address = ''] = url.split('?')
    const path = address.startsWith(`${base}/`) ? address.slice(base.length) : address
    if (path.startsWith(`${FORMS}/`)) return receive(request, address)
    if (method !== 'GET' && method !== 'HEAD') return tell(refusals.onlyRead)
    if (path === '/healthz') return send(200, TEXT, 'ok\n')
    if (path === '/readyz') return showReadiness()
    if (path.startsWith(RECEIPTS)) return showReceipt(path.slice(RECEIPTS.length))
    return site.answer(request)
  }

  async function receive(request: IncomingMessage, address: string) {
    const page = pages.get(pathAt(address, base + FORMS))
    const visitor = proxyAddr(request, isProxy)
    const early = refusalOf(request, visitor)
    const body = await readBody(request, KEPT)
    const most = (page?.form?.fields.length ?? 0) + OTHER_FIELDS
    const isForm = request.method === 'POST' && isUrlEncodedForm(request.headers)
    const fields = body && isForm ? parseFields(body, most + 1) : undefined
    const path = page?.path
    const refuse = (refusal: Refusal) => {
      log.info({ path, status: refusal.status }, 'refused')
      return tell(refusal, page, fields)
    }
    if (!page?.form || !store) {
      if (fields?.length) return refuse(refusals.notFound)
      return site.answer(request)
    }
    if (early) return refuse(early)
    if (!body) return refuse(refusals.muchTooLarge)
    if (body.length > LARGEST) return refuse(refusals.tooLarge)
    if (!fields) return refuse(refusals.malformed)
    if (fields.length > most) return refuse(refusals.tooManyFields(most))
    try {
      const faults = faultsOf(page.form, fields)
      if (faults.size > 0) return refuse(refusals.invalid(faults))
      const sent = sortOut(fields)
      const channels = config.withSpam || !sent.isSuspect ? config.channels : []
      const isListed = channels.includes('mail') && hasManyMails(visitor)
      const stored = await store.add({ path: page.path, dataset, channels, isListed, ...sent })
      log.info({ path, receipt: stored.receipt, isRepeat: stored.isRepeat }, 'stored')
      return send(303, TEXT, '', { Location: base + RECEIPTS + stored.receipt })
    } catch (error) {
      const { message: reason } = error as Error
      const isKnown = error instanceof StoreError
      log.error(isKnown ? { path, reason } : { err: error }, 'not stored')
      alarm?.('notStored', reason)
      return refuse(isKnown && error.mayBeStored ? refusals.perhapsStored : refusals.notStored)
    }
  }

  /** Returns why to refuse a post before its body is read, or undefined. */
  function refusalOf({ method, headers, socket }: IncomingMessage, visitor: string) {
    // A proxy of ours says which host the visitor has asked for.
    const isForwarded = isProxy(socket.remoteAddress ?? '', 0)
    const forwarded = isForwarded ? String(headers['x-forwarded-host'] ?? '') : ''
    const host = forwarded.split(',').at(-1)?.trim() || headers.host
    if (method !== 'POST') return refusals.onlyPost
    if (isFromElsewhere({ ...headers, host }, config.trustedOrigins)) return refusals.fromElsewhere
    if (!isUrlEncodedForm(headers)) return refusals.mediaType
    if (config.rateLimit === 0) return undefined
    const { count, seconds } = countSubmission(visitor)
    return count > config.rateLimit ? refusals.tooMany(seconds) : undefined
  }

  async function showReceipt(receipt: string) {
    try {
      const found = await store?.find(receipt)
      return found ? send(200, HTML, receiptDocument(site, found)) : tell(refusals.noReceipt)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      log.error({ reason: error.message }, 'looking up a receipt failed')
      return tell(refusals.noAnswer)
    }
  }

  async function checkStore(): Promise<FileResponse> {
    try {
      await store?.check()
      const unsent = store && describeUnsent((await store.outbox.unsent(0)).waiting)
      return send(200, TEXT, unsent ? `ready; ${unsent}\n` : 'ready\n')
    } catch (error) {
      const { message: reason } = error as Error
      log.error({ reason }, 'not ready')
      alarm?.('notStored', reason)
      return send(503, TEXT, 'not ready: submissions cannot be stored\n')
    }
  }

  let checkedAt = -Infinity
  let checked: Promise<FileResponse>
  function showReadiness() {
    const now = performance.now()
    if (now - checkedAt < CHECK_FOR) return checked
    checkedAt = now
    checked = checkStore()
    return checked
  }

  // 2. Answers -----------------------------------------------------------------------------------

  /** Says why a request is refused, and gives back what was sent, if it could be read. */
  function tell(refusal: Refusal, page?: FormPage, fields?: readonly SentField[]): FileResponse {
    const { status, title, detail } = refusal
    // With no-store, Back from the receipt would lead to an error page of the browser.
    const headers = { ...refusal.headers, ...(fields && { 'Cache-Control': 'private, no-cache' }) }
    try {
      return send(status, HTML, refusalDocument(site, refusal, page, fields), headers)
    } catch (error) {
      // The form is a component that an adopter may change.
      log.error({ err: error }, 'a refusal cannot be shown')
      return send(status, TEXT, `${title}\n\n${detail}\n${formatFields(fields ?? [])}`, headers)
    }
  }

  return {
    server,

    /** Finishes requests in flight, accepts no new ones, and ends within the given milliseconds. */
    async close(milliseconds: number) {
      const end = setTimeout(() => server.closeAllConnections(), milliseconds)
      await new Promise((resolve) => server.close(resolve))
      clearTimeout(end)
    },
  }
}

/** Returns an answer for one person only, so nothing may cache it unless it says otherwise. */
function send(status: number, type: string, body: string, more = {}): FileResponse {
  return { status, headers: { 'Cache-Control': 'no-store', 'Content-Type': type, ...more }, body }
}
