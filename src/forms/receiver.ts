/** The receiver and the built site in one HTTP server. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import { messageOf } from '../machine/errors.ts'
import { formatFields } from '../notify/message.ts'
import { pathAt, RECEIPTS } from '../page/address.ts'
import type { FormPage } from '../page/page.ts'
import type { Store } from '../store/store.ts'
import { MINUTE, type SentField, StoreError } from '../store/submission.ts'
import type { Config } from './config.ts'
import type { FileResponse, Site } from './files/open-site.ts'
import { createPolicyServer, readBody } from './http.ts'
import { receiptDocument, refusalDocument } from './receive/answer-documents.tsx'
import { createReadiness, type ReadinessParts } from './receive/readiness.ts'
import { type Refusal, refusals } from './receive/refusals.ts'
import {
  describeType,
  faultsOf,
  isFromElsewhere,
  isUrlEncodedForm,
  KEPT,
  LARGEST,
  OTHER_FIELDS,
  parseFields,
  sortOut,
} from './receive/request.ts'
import { HTML, send, TEXT } from './receive/send.ts'
import { createCounter } from './receive/visitors.ts'

interface ReceiverParts extends ReadinessParts {
  site: Site
  config: Pick<Config, 'trustedProxies' | 'trustedOrigins' | 'rateLimit' | 'channels' | 'withSpam'>
}

/** Where forms are posted, before the path of their page. */
const FORMS = '/api/forms'

/** A page that has a form. */
type PageWithForm = FormPage & { form: NonNullable<FormPage['form']> }

export class Receiver {
  readonly server: Server
  readonly #parts: ReceiverParts
  readonly #pages: ReadonlyMap<string, FormPage>
  readonly #isProxy: (address: string, hop: number) => boolean
  readonly #countForm = createCounter(MINUTE)
  readonly #answerReadiness: () => Promise<FileResponse>

  constructor(parts: ReceiverParts) {
    const { site, config } = parts
    this.#parts = parts
    this.#pages = new Map(site.pages.map((page) => [page.path, page]))
    this.#isProxy = proxyAddr.compile(config.trustedProxies)
    this.#answerReadiness = createReadiness(parts)

    const handle = (request: IncomingMessage, response: ServerResponse) => {
      this.#handle(request, response)
    }
    this.server = createPolicyServer(site.headers, handle, undefined, this.#isProxy)
  }

  /** Finishes requests in flight, accepts no new ones, and ends within the given milliseconds. */
  async close(milliseconds: number): Promise<void> {
    const end = setTimeout(() => this.server.closeAllConnections(), milliseconds)
    await new Promise((resolve) => this.server.close(resolve))
    clearTimeout(end)
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers, body } = await this.#answer(request).catch((error) => {
      // A visitor who has gone needs no answer.
      if (error.code !== 'ECONNRESET') this.#parts.log.error({ err: error }, 'failed')
      return this.#refuse(refusals.failed)
    })

    response.statusCode = status
    response.setHeaders(new Map(Object.entries(headers)))
    if (!this.server.listening) response.setHeader('Connection', 'close')
    response.end(body)
  }

  async #answer(request: IncomingMessage): Promise<FileResponse> {
    const { site } = this.#parts
    const { method = '', url = '' } = request
    const [address = ''] = url.split('?')
    const isInBase = address.startsWith(`${site.base}/`)
    const path = isInBase ? address.slice(site.base.length) : address

    if (path.startsWith(`${FORMS}/`)) return this.#receive(request, address)
    if (method !== 'GET' && method !== 'HEAD') return this.#refuse(refusals.onlyRead)
    if (path === '/healthz') return send(200, TEXT, 'ok\n')
    if (path === '/readyz') return this.#answerReadiness()
    if (path.startsWith(RECEIPTS)) return this.#showReceipt(path.slice(RECEIPTS.length))
    return site.answer(request)
  }

  // 1. Forms -------------------------------------------------------------------------------------

  async #receive(request: IncomingMessage, address: string): Promise<FileResponse> {
    const { site, store } = this.#parts
    const page = this.#pages.get(pathAt(address, site.base + FORMS))
    const visitor = proxyAddr(request, this.#isProxy)
    const early = this.#refusalBeforeBody(request, visitor)

    const body = await readBody(request, KEPT)
    const most = (page?.form?.fields.length ?? 0) + OTHER_FIELDS

    const isForm = request.method === 'POST' && isUrlEncodedForm(request.headers)
    const fields = body && isForm ? parseFields(body, most + 1) : undefined

    if (!hasForm(page) || !store) {
      if (fields?.length) return this.#refuseForm(refusals.notFound, page, fields)
      return site.answer(request)
    }

    if (early) return this.#refuseForm(early, page, fields)
    if (!body) return this.#refuseForm(refusals.muchTooLarge, page)
    if (body.length > LARGEST) return this.#refuseForm(refusals.tooLarge, page, fields)
    if (!fields) return this.#refuseForm(refusals.malformed, page)
    if (fields.length > most) return this.#refuseForm(refusals.tooManyFields(most), page, fields)

    return this.#store(store, page, fields)
  }

  /** Stores a form if its fields are valid. */
  async #store(
    store: Store,
    page: PageWithForm,
    fields: readonly SentField[],
  ): Promise<FileResponse> {
    const { site, config, log, alarm } = this.#parts
    const { path } = page
    try {
      const faults = faultsOf(page.form, fields)
      if (faults.size > 0) return this.#refuseForm(refusals.invalid(faults), page, fields)

      const sent = sortOut(fields)
      const channels = config.withSpam || !sent.isSuspect ? config.channels : []
      const { receipt, isRepeat } = await store.add({
        path,
        dataset: site.dataset,
        channels,
        ...sent,
      })

      log.info({ path, receipt, isRepeat }, 'stored')
      return send(303, TEXT, '', { Location: site.base + RECEIPTS + receipt })
    } catch (error) {
      const reason = messageOf(error)
      const isKnown = error instanceof StoreError
      log.error(isKnown ? { path, reason } : { err: error }, 'not stored')
      alarm?.('notStored', reason)

      const refusal = isKnown && error.mayBeStored ? refusals.perhapsStored : refusals.notStored
      return this.#refuseForm(refusal, page, fields)
    }
  }

  /** Returns why to refuse a post before its body is read, or undefined. */
  #refusalBeforeBody(request: IncomingMessage, visitor: string): Refusal | undefined {
    const { method, headers } = request
    const { trustedOrigins, rateLimit } = this.#parts.config

    const host = this.#hostOf(request)
    if (method !== 'POST') return refusals.onlyPost
    if (isFromElsewhere({ ...headers, host }, trustedOrigins)) return refusals.fromElsewhere
    if (!isUrlEncodedForm(headers)) return refusals.otherType(describeType(headers))
    if (rateLimit === 0) return undefined

    const { count, seconds } = this.#countForm(visitor)
    return count > rateLimit ? refusals.tooMany(seconds) : undefined
  }

  /** Returns the host that the visitor has asked for, which a proxy of ours passes on. */
  #hostOf({ headers, socket }: IncomingMessage): string | undefined {
    const isForwarded = this.#isProxy(socket.remoteAddress ?? '', 0)
    const forwarded = isForwarded ? String(headers['x-forwarded-host'] ?? '') : ''
    return forwarded.split(',').at(-1)?.trim() || headers.host
  }

  // 2. Answers -----------------------------------------------------------------------------------

  async #showReceipt(receipt: string): Promise<FileResponse> {
    const { site, store, log } = this.#parts
    try {
      const submission = await store?.find(receipt)
      if (!submission) return this.#refuse(refusals.noReceipt)
      // Its time and its page may be wrong.
      if (submission.damage) throw new StoreError(`submission ${submission.id} is damaged`)
      return send(200, HTML, receiptDocument(site, submission))
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      log.error({ reason: error.message }, 'looking up a receipt failed')
      return this.#refuse(refusals.noAnswer)
    }
  }

  #refuseForm(refusal: Refusal, page?: FormPage, fields?: readonly SentField[]): FileResponse {
    this.#parts.log.info({ path: page?.path, status: refusal.status }, 'refused')
    return this.#refuse(refusal, page, fields)
  }

  /** Says why a request is refused, and gives back what was sent, if it could be read. */
  #refuse(refusal: Refusal, page?: FormPage, fields?: readonly SentField[]): FileResponse {
    const { status, title, detail } = refusal

    // With no-store, Back from the receipt would lead to an error page of the browser.
    const headers = { ...refusal.headers, ...(fields && { 'Cache-Control': 'private, no-cache' }) }
    try {
      const document = refusalDocument(this.#parts.site, refusal, page, fields)
      return send(status, HTML, document, headers)
    } catch (error) {
      // The form is a component that an adopter may change.
      this.#parts.log.error({ err: error }, 'a refusal cannot be shown')
      const text = `${title}\n\n${detail}\n${formatFields(fields ?? [])}`
      return send(status, TEXT, text, headers)
    }
  }
}

function hasForm(page: FormPage | undefined): page is PageWithForm {
  return Boolean(page?.form)
}
