/** The settings of the server. All of its environment variables are listed here. */
import { isIP } from 'node:net'
import type { MailConfig } from '../notify/mailer.ts'
import type { WebhookConfig } from '../notify/webhook.ts'
import { EMAIL } from '../page/form-fields.ts'
import { type Channel, DEFAULT_FILE, MINUTE } from '../store/submission.ts'
import { withAsciiDomain } from '../text/domain.ts'

/** A setting is invalid. The message is one line that says what it must be. */
export class ConfigError extends Error {}

export interface Config extends StorePlace {
  port: number
  /** The address to listen on; undefined for all. */
  host: string | undefined
  /** Other origins that may post forms, as browsers send them: `https://example.com`. */
  trustedOrigins: ReadonlySet<string>
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  trustedProxies: string[]
  /** How many forms a minute one visitor may send; 0 for no limit. */
  rateLimit: number
  /** After how many days submissions, and spam, are deleted; or Infinity. */
  keepDays: number
  keepSpamDays: number
  /** Undefined when there are no such notifications. */
  mail: MailConfig | undefined
  webhook: WebhookConfig | undefined
  /** The ways that are set up. */
  channels: readonly Channel[]
  /** Whether suspected spam is announced, too. */
  withSpam: boolean
  logLevel: string
}

/** Where the store is. */
export interface StorePlace {
  file: string
  databaseUrl: string | undefined
}

// 1. Kinds of values ------------------------------------------------------------------------------

/** What a setting may be. */
interface Kind<Value> {
  /** Returns undefined when the text is not a valid value. */
  parse(text: string): Value | undefined
  mustBe: string
  /** Whether the text may have a password, which no message repeats. */
  isSecret?: boolean
}

function number(most: number): Kind<number> {
  return { parse: (text) => wholeNumber(text, most), mustBe: `a number from 0 to ${most}` }
}

/** A text that stays as it is. */
function text(isValid: (text: string) => boolean, mustBe: string, isSecret = false): Kind<string> {
  return { parse: (value) => (isValid(value) ? value : undefined), mustBe, isSecret }
}

function oneOf(...values: string[]): Kind<string> {
  return text((value) => values.includes(value), `one of ${values.join(', ')}`)
}

function list(isValid: (item: string) => boolean, items: string): Kind<string[]> {
  return {
    parse(value) {
      const parts = value.split(/[\s,]+/).filter(Boolean)
      return parts.every(isValid) ? parts : undefined
    },
    mustBe: `${items}, with commas between them`,
  }
}

function isAddress(value: string): boolean {
  return EMAIL.test(withAsciiDomain(value))
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value
}

/** A URL without a user and without a fragment, such as `https://example.com/hook?token=abc`. */
const WEBHOOK = /^https?:\/\/[^@#\s]+$/

/** Such as `smtps://mail.example.com`. */
const SMTP_START = /^smtps?:\/\/[^/?]/

/** Such as `postgres://localhost/manyurls`. */
const POSTGRES_START = /^postgres(ql)?:\/\//

const days: Kind<number> = {
  parse: (value) => (value === 'never' ? Infinity : wholeNumber(value, 36_500) || undefined),
  mustBe: 'a number from 1 to 36500, or never',
}
const origins = list(isOrigin, 'origins such as https://example.com')
const address = text(isAddress, 'an address such as ada@example.com')
const addresses = list(isAddress, 'addresses such as ada@example.com')
const networks = list(isNetwork, 'addresses or networks such as 10.0.0.0/8')
const postgres = text(
  (value) => POSTGRES_START.test(value) && isServer(value),
  'an address such as postgres://user:password@host:5432/database. In the password, write %2F for /, %40 for @, %3A for : and so on',
  true,
)
const smtp = text(
  (value) => SMTP_START.test(value) && isServer(value),
  'an address such as smtps://mail.example.com. Set SMTP_USER and SMTP_PASSWORD, too, if the server wants them',
  true,
)
const webhook = text(
  (value) => WEBHOOK.test(value) && URL.canParse(value),
  'an address such as https://example.com/hooks/forms, without @ and #',
  true,
)
const secret = text(({ length }) => length >= 16, 'a secret of at least 16 characters', true)
const level = oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')

// 2. Reading --------------------------------------------------------------------------------------

/** @throws {ConfigError} for the first invalid setting, or when only some are set that go together */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const mail = readMail(env)
  const webhook = readWebhook(env)

  const channels: Channel[] = []
  if (mail) channels.push('mail')
  if (webhook) channels.push('webhook')

  return {
    port: read(env, 'PORT', number(65_535), 4173),
    host: env.HOST || undefined,
    ...readPlace(env),
    trustedOrigins: new Set(read(env, 'TRUSTED_ORIGINS', origins, [])),
    trustedProxies: read(env, 'TRUSTED_PROXIES', networks, []),
    rateLimit: read(env, 'RATE_LIMIT', number(1_000_000), 30),
    keepDays: read(env, 'KEEP_DAYS', days, Infinity),
    keepSpamDays: read(env, 'KEEP_SPAM_DAYS', days, Infinity),
    mail,
    webhook,
    channels,
    withSpam: read(env, 'NOTIFY_SPAM', oneOf('yes', 'no'), 'no') === 'yes',
    logLevel: read(env, 'LOG_LEVEL', level, 'info'),
  }
}

/** Reads where the store is, for commands that need no more. Throws like {@link readConfig}. */
export function readPlace(env: NodeJS.ProcessEnv): StorePlace {
  const databaseUrl = read(env, 'DATABASE_URL', postgres, undefined)
  return { file: env.SUBMISSIONS_FILE || DEFAULT_FILE, databaseUrl }
}

function readMail(env: NodeJS.ProcessEnv): MailConfig | undefined {
  const server = read(env, 'SMTP_URL', smtp, undefined)
  const to = read(env, 'NOTIFY_TO', addresses, undefined)?.map(withAsciiDomain)
  const from = withAsciiDomain(read(env, 'NOTIFY_FROM', address, ''))

  const user = env.SMTP_USER
  const password = env.SMTP_PASSWORD
  const minutes = read(env, 'NOTIFY_EVERY', number(1440), 5)

  if (!server && !to && !from) return undefined

  if (!server || !to?.[0] || !from) {
    throw new ConfigError('SMTP_URL, NOTIFY_TO and NOTIFY_FROM must all be set, or none of them.')
  }

  if (Boolean(user) !== Boolean(password)) {
    throw new ConfigError('SMTP_USER and SMTP_PASSWORD must both be set, or neither of them.')
  }

  if (user && new URL(server).username) {
    throw new ConfigError(
      'Set the user of the mail server in SMTP_USER or in SMTP_URL, not in both.',
    )
  }

  return { server, user, password, to, from, pause: minutes * MINUTE }
}

function readWebhook(env: NodeJS.ProcessEnv): WebhookConfig | undefined {
  const url = read(env, 'NOTIFY_URL', webhook, undefined)
  const key = read(env, 'NOTIFY_SECRET', secret, undefined)

  if (!url && !key) return undefined
  if (!url || !key) {
    throw new ConfigError('NOTIFY_URL and NOTIFY_SECRET must both be set, or none of them.')
  }

  return { url, secret: key }
}

/** Reads one setting. An empty variable counts as not set. */
function read<Value, Usual>(
  env: NodeJS.ProcessEnv,
  name: string,
  { parse, mustBe, isSecret }: Kind<Value>,
  usual: Usual,
): Value | Usual {
  const text = env[name]
  if (!text) return usual

  const value = parse(text)
  if (value !== undefined) return value
  if (isSecret) throw new ConfigError(`${name} must be ${mustBe}.`)
  throw wrongSetting(name, text, mustBe)
}

/** Returns the error for an invalid setting. */
export function wrongSetting(name: string, value: string | number, mustBe: string): ConfigError {
  return new ConfigError(`${name} is "${value}", but must be ${mustBe}.`)
}

function wholeNumber(text: string, most: number): number | undefined {
  const value = Number(text)
  return /^\d+$/.test(text) && value <= most ? value : undefined
}

/**
 * Whether a text is the URL of a server. An unescaped `/`, `?` or `#` in the password would end it
 * early, and its rest would count as path or query: an @ in these is refused.
 */
function isServer(text: string): boolean {
  try {
    const { username, password, pathname, search } = new URL(text)
    for (const part of [username, password]) decodeURIComponent(part)
    return !/[\s\p{Cc}#]/u.test(text) && !`${pathname}${search}`.includes('@')
  } catch {
    return false
  }
}

/** Whether a text is an IP address, or a network in CIDR notation (RFC 4632, RFC 4291). */
function isNetwork(text: string): boolean {
  const [address = '', bits = '1', ...more] = text.split('/')
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  if (more.length > 0) return false
  return Boolean(wholeNumber(bits, most))
}
