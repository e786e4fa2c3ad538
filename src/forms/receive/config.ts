/** The settings of the server. All of its environment variables are listed here. */
import { isIP } from 'node:net'
import { EMAIL } from '../../dataset/fields.ts'
import { DEFAULT_FILE } from '../store/open-store.ts'

export type Config = ReturnType<typeof readConfig>

/** A setting is invalid. The message is one line that says what it must be. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** What a setting may be. */
interface Kind<Value> {
  /** Returns undefined when the text is not a valid value. */
  parse(text: string): Value | undefined
  /** A description of valid values. */
  mustBe: string
  /** Whether the value may contain a password, so that no message repeats it. */
  isSecret?: true
}

const number = (most: number): Kind<number> => ({
  parse: (text) => wholeNumber(text, most),
  mustBe: `a number from 0 to ${most}`,
})

const text = (mustBe: string): Kind<string> => ({ parse: (text) => text, mustBe })

const oneOf = (...values: string[]): Kind<string> => ({
  parse: (text) => values.find((value) => value === text),
  mustBe: `one of ${values.join(', ')}`,
})

const list = (fits: (item: string) => boolean, what: string): Kind<string[]> => ({
  parse(text) {
    const items = text.split(',').map((item) => item.trim())
    const given = items.filter(Boolean)
    return given.every(fits) ? given : undefined
  },
  mustBe: `${what}, with commas between them`,
})

const address: Kind<string> = {
  parse: (text) => (text === '' || EMAIL.test(text) ? text : undefined),
  mustBe: 'an address such as ada@example.com',
}

const server = (start: RegExp, example: string): Kind<string> => ({
  parse: (text) => (text === '' || (start.test(text) && isServer(text)) ? text : undefined),
  mustBe: `an address such as ${example}, with each sign of the password that is neither a letter nor a digit percent-encoded, as %2F for /`,
  isSecret: true,
})

const days: Kind<number> = {
  parse: (text) => (text === 'never' ? Infinity : wholeNumber(text, 36_500) || undefined),
  mustBe: 'a number from 1 to 36500, or never',
}

const isOrigin = (item: string) => URL.canParse(item) && new URL(item).origin === item

/** What each setting may be, and its default as text; empty when there is none. */
const settings = {
  PORT: [number(65_535), '4173'],
  HOST: [text('an address of this machine'), ''],
  SUBMISSIONS_FILE: [text('a file'), DEFAULT_FILE],
  DATABASE_URL: [server(/^postgres(ql)?:\/\//, 'postgres://user:password@host:5432/database'), ''],
  RATE_LIMIT: [number(1_000_000), '30'],
  TRUSTED_ORIGINS: [list(isOrigin, 'origins such as https://example.com'), ''],
  TRUSTED_PROXIES: [list(isNetwork, 'addresses or networks such as 10.0.0.0/8'), ''],
  KEEP_DAYS: [days, 'never'],
  KEEP_SPAM_DAYS: [days, 'never'],
  SMTP_URL: [server(/^smtps?:\/\/[^/?]/, 'smtps://user:password@mail.example.com'), ''],
  NOTIFY_TO: [address, ''],
  NOTIFY_FROM: [address, ''],
  NOTIFY_SPAM: [oneOf('yes', 'no'), 'no'],
  NOTIFY_MOST: [number(1_000_000), '20'],
  LOG_LEVEL: [oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info'],
} satisfies Record<string, readonly [kind: Kind<unknown>, usual: string]>

/** The names of all settings. */
export const SETTINGS = Object.keys(settings)

/**
 * Reads the settings. An empty variable counts as not set.
 *
 * @throws {ConfigError} for the first invalid setting, or when one of some is missing
 */
export function readConfig(env: NodeJS.ProcessEnv) {
  const read = <N extends Name>(name: N) => readSetting(env, name)
  const [server, to, from] = [read('SMTP_URL'), read('NOTIFY_TO'), read('NOTIFY_FROM')]
  const withSpam = read('NOTIFY_SPAM') === 'yes'
  const most = read('NOTIFY_MOST') || Infinity
  if ((server || to || from || withSpam) && !(server && to && from)) {
    throw new ConfigError('SMTP_URL, NOTIFY_TO and NOTIFY_FROM must all be set, or none of them.')
  }
  return {
    port: read('PORT'),
    /** If so, no other port is tried. */
    isPortChosen: Boolean(env.PORT),
    /** The address to listen on; undefined for all. */
    host: read('HOST') || undefined,
    ...readPlace(env),
    /** As browsers send them. */
    trustedOrigins: new Set(read('TRUSTED_ORIGINS')),
    trustedProxies: read('TRUSTED_PROXIES'),
    /** 0 means no limit. */
    rateLimit: read('RATE_LIMIT'),
    /** In days; or Infinity. */
    keepDays: read('KEEP_DAYS'),
    keepSpamDays: read('KEEP_SPAM_DAYS'),
    /** Undefined when there are no notifications. */
    mail: server && to && from ? { server, to, from, withSpam, most } : undefined,
    logLevel: read('LOG_LEVEL'),
  }
}

/**
 * Reads where the store is: all that commands of the owner need.
 *
 * @throws {ConfigError}
 */
export function readPlace(env: NodeJS.ProcessEnv) {
  const databaseUrl = readSetting(env, 'DATABASE_URL') || undefined
  return { file: readSetting(env, 'SUBMISSIONS_FILE'), databaseUrl }
}

type Name = keyof typeof settings

type Value<N extends Name> = (typeof settings)[N][0] extends Kind<infer Each> ? Each : never

function readSetting<N extends Name>(env: NodeJS.ProcessEnv, name: N): Value<N> {
  const [kind, usual] = settings[name]
  const value = kind.parse(env[name] || usual)
  if (value === undefined) throw wrongSetting(name, env[name] ?? '')
  return value as Value<N>
}

/** Returns the error for an invalid setting. */
export function wrongSetting(
  name: Name,
  value: string | number,
  mustBe = settings[name][0].mustBe,
): ConfigError {
  const found = settings[name][0].isSecret ? 'must' : `is "${value}", but must`
  return new ConfigError(`${name} ${found} be ${mustBe}.`)
}

function wholeNumber(text: string, most: number): number | undefined {
  const value = Number(text)
  return /^\d+$/.test(text) && value <= most ? value : undefined
}

/**
 * Whether a text is the address of a server, and no part of it but the password can be a piece of the
 * password: an unescaped `/`, `?` or `#` in it would end it, with an @ further on.
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
  return more.length === 0 && Boolean(wholeNumber(bits, most))
}
