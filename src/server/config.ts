/** The settings of the server. All of its environment variables are listed here. */
import { isIP } from 'node:net'
import { EMAIL } from '../page/form-fields.ts'
import { withAsciiDomain } from '../text/domain.ts'
import { DEFAULT_FILE } from './store/submission.ts'

export type Config = ReturnType<typeof readConfig>

/** A setting is invalid. The message is one line that says what it must be. */
export class ConfigError extends Error {}

/** What a setting may be. */
interface Kind<Value> {
  /** Returns undefined when the text is not a valid value. */
  parse(text: string): Value | undefined
  mustBe: string
  /** Whether the text may have a password, which no message repeats. */
  isSecret?: boolean
}

const number = (most: number): Kind<number> => ({
  parse: (text) => wholeNumber(text, most),
  mustBe: `a number from 0 to ${most}`,
})

/** A text that stays as it is. */
const text = (fits: (text: string) => boolean, mustBe: string, isSecret = false) => ({
  parse: (text: string) => (fits(text) ? text : undefined),
  mustBe,
  isSecret,
})

const oneOf = (...values: string[]) =>
  text((each) => values.includes(each), `one of ${values.join(', ')}`)

const list = (fits: (item: string) => boolean, what: string): Kind<string[]> => ({
  parse(text) {
    const items = text.split(/[\s,]+/).filter(Boolean)
    return items.every(fits) ? items : undefined
  },
  mustBe: `${what}, with commas between them`,
})

const isAddress = (text: string) => EMAIL.test(withAsciiDomain(text))

const server = (start: RegExp, example: string) =>
  text(
    (each) => start.test(each) && isServer(each),
    `an address such as ${example}, with each sign of the password that is neither a letter nor a digit percent-encoded, as %2F for /`,
    true,
  )

const days: Kind<number> = {
  parse: (text) => (text === 'never' ? Infinity : wholeNumber(text, 36_500) || undefined),
  mustBe: 'a number from 1 to 36500, or never',
}

const origins = list(
  (item) => URL.canParse(item) && new URL(item).origin === item,
  'origins such as https://example.com',
)
const address = text(isAddress, 'an address such as ada@example.com')
const addresses = list(isAddress, 'addresses such as ada@example.com')
const networks = list(isNetwork, 'addresses or networks such as 10.0.0.0/8')
const postgres = server(/^postgres(ql)?:\/\//, 'postgres://user:password@host:5432/database')
const smtp = server(/^smtps?:\/\/[^/?]/, 'smtps://user:password@mail.example.com')
const webhook = text(
  (each) => /^https?:\/\/[^@#\s]+$/.test(each) && URL.canParse(each),
  'an address such as https://example.com/hooks/forms, without @ and #',
  true,
)
const secret = text(({ length }) => length >= 16, 'a secret of at least 16 characters', true)
const level = oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')

/** @throws {ConfigError} for the first invalid setting, or when only some are set that go together */
export function readConfig(env: NodeJS.ProcessEnv) {
  const server = read(env, 'SMTP_URL', smtp, undefined)
  const to = read(env, 'NOTIFY_TO', addresses, undefined)?.map(withAsciiDomain)
  const from = withAsciiDomain(read(env, 'NOTIFY_FROM', address, ''))
  const withSpam = read(env, 'NOTIFY_SPAM', oneOf('yes', 'no'), 'no') === 'yes'
  const most = read(env, 'NOTIFY_MOST', number(1_000_000), 14) || Infinity
  const url = read(env, 'NOTIFY_URL', webhook, undefined)
  const key = read(env, 'NOTIFY_SECRET', secret, undefined)
  const mail = server && to?.[0] && from ? { server, to, from, most } : undefined
  const hook = url && key ? { url, secret: key } : undefined
  if ((server || to || from) && !mail) {
    throw new ConfigError('SMTP_URL, NOTIFY_TO and NOTIFY_FROM must all be set, or none of them.')
  }
  if ((url || key) && !hook) {
    throw new ConfigError('NOTIFY_URL and NOTIFY_SECRET must both be set, or none of them.')
  }
  const ways = { mail, webhook: hook }
  return {
    port: read(env, 'PORT', number(65_535), 4173),
    /** The address to listen on; undefined for all. */
    host: env.HOST || undefined,
    ...readPlace(env),
    /** As browsers send them. */
    trustedOrigins: new Set(read(env, 'TRUSTED_ORIGINS', origins, [])),
    trustedProxies: read(env, 'TRUSTED_PROXIES', networks, []),
    /** 0 means no limit. */
    rateLimit: read(env, 'RATE_LIMIT', number(1_000_000), 30),
    /** In days; or Infinity. */
    keepDays: read(env, 'KEEP_DAYS', days, Infinity),
    keepSpamDays: read(env, 'KEEP_SPAM_DAYS', days, Infinity),
    /** Undefined when there are no such notifications. */
    ...ways,
    channels: (['mail', 'webhook'] as const).filter((channel) => ways[channel]),
    /** Whether suspected spam is announced, too. */
    withSpam,
    logLevel: read(env, 'LOG_LEVEL', level, 'info'),
  }
}

/** Reads where the store is, for commands that need no more. Throws like {@link readConfig}. */
export function readPlace(env: NodeJS.ProcessEnv) {
  const databaseUrl = read(env, 'DATABASE_URL', postgres, undefined)
  return { file: env.SUBMISSIONS_FILE || DEFAULT_FILE, databaseUrl }
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
    for (const each of [username, password]) decodeURIComponent(each)
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
