/** The settings of the server. All of its environment variables are listed here. */
import { isIP } from 'node:net'
import { EMAIL } from '../../dataset/fields.ts'
import type { MailSettings } from '../jobs/mailer.ts'
import { DEFAULT_FILE } from '../store/open-store.ts'

export interface Config {
  port: number
  /** Whether `PORT` was set. If so, no other port is tried. */
  isPortChosen: boolean
  /** The address to listen on; undefined for all. */
  host: string | undefined
  /** The SQLite file for submissions, used when there is no `databaseUrl`. */
  file: string
  databaseUrl: string | undefined
  /** Other origins that may post, as browsers send them. */
  trustedOrigins: ReadonlySet<string>
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  trustedProxies: string[]
  /** The number of submissions per minute from one address; 0 means no limit. */
  rateLimit: number
  /** After how many days submissions are deleted, and those that may be spam; or Infinity. */
  keepDays: number
  keepSpamDays: number
  /** Undefined when there are no notifications. */
  mail: (MailSettings & { withSpam: boolean; most: number }) | undefined
  logLevel: string
}

/** A setting is invalid. The message is one line that says what it must be. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

interface Setting<Value> {
  /** The default as text; empty when there is none. */
  usual: string
  meaning: string
  /** Returns undefined when the text is not a valid value. */
  parse(text: string): Value | undefined
  /** A description of valid values. */
  mustBe: string
  /** Whether the value may contain a password, so that no message repeats it. */
  isSecret?: true
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

const ADDRESS = {
  usual: '',
  parse: (text) => (text === '' || EMAIL.test(text) ? text : undefined),
  mustBe: 'an address such as ada@example.com',
} satisfies Omit<Setting<string>, 'meaning'>

const server = (start: RegExp, example: string) =>
  ({
    usual: '',
    parse: (text) => (text === '' || (start.test(text) && isServer(text)) ? text : undefined),
    mustBe: `an address such as ${example}, with each sign of the password that is neither a letter nor a digit percent-encoded, as %2F for /`,
    isSecret: true,
  }) satisfies Omit<Setting<string>, 'meaning'>

const DAYS = {
  usual: 'never',
  parse: (text) => (text === 'never' ? Infinity : wholeNumber(text, 36_500) || undefined),
  mustBe: 'a number from 1 to 36500, or never',
} satisfies Omit<Setting<number>, 'meaning'>

const settings = {
  PORT: {
    usual: '4173',
    meaning: 'the port, which must be free; if unset, this or the next free one',
    parse: (text) => wholeNumber(text, 65_535),
    mustBe: 'a number from 0 to 65535',
  } satisfies Setting<number>,
  HOST: {
    usual: '',
    meaning: 'the address to listen on; all addresses if empty',
    parse: (text) => text,
    mustBe: 'an address of this machine',
  } satisfies Setting<string>,
  SUBMISSIONS_FILE: {
    usual: DEFAULT_FILE,
    meaning: 'the SQLite file that keeps submissions',
    parse: (text) => text,
    mustBe: 'a file',
  } satisfies Setting<string>,
  DATABASE_URL: {
    ...server(/^postgres(ql)?:\/\//, 'postgres://user:password@host:5432/database'),
    meaning: 'a Postgres database that keeps them instead',
  },
  RATE_LIMIT: {
    usual: '30',
    meaning:
      'how many forms an address (an IPv4 address or an IPv6 /64) may send in a minute; 0: any number',
    parse: (text) => wholeNumber(text, 1_000_000),
    mustBe: 'a number from 0 to 1000000',
  } satisfies Setting<number>,
  TRUSTED_ORIGINS: {
    usual: '',
    meaning: 'other origins whose pages may send forms here, with commas between them',
    parse: (text) => listOf(text, (item) => URL.canParse(item) && new URL(item).origin === item),
    mustBe: 'origins such as https://example.com, with commas between them',
  } satisfies Setting<string[]>,
  TRUSTED_PROXIES: {
    usual: '',
    meaning: 'addresses and networks whose X-Forwarded-For is trusted, with commas between them',
    parse: (text) => listOf(text, isNetwork),
    mustBe: 'addresses or networks such as 10.0.0.0/8, with commas between them',
  } satisfies Setting<string[]>,
  KEEP_DAYS: { ...DAYS, meaning: 'after how many days submissions are deleted' },
  KEEP_SPAM_DAYS: { ...DAYS, meaning: 'the same for those that are or may be spam' },
  SMTP_URL: {
    ...server(/^smtps?:\/\/[^/?]/, 'smtps://user:password@mail.example.com'),
    meaning: 'the mail server that sends notifications of submissions',
  },
  NOTIFY_TO: { ...ADDRESS, meaning: 'the address that gets them' },
  NOTIFY_FROM: { ...ADDRESS, meaning: 'the address that sends them' },
  NOTIFY_SPAM: {
    usual: 'no',
    meaning: 'whether to send those of suspected spam, too: yes or no',
    parse: (text) => (text === 'yes' || text === 'no' ? text : undefined),
    mustBe: 'yes or no',
  } satisfies Setting<string>,
  NOTIFY_MOST: {
    usual: '20',
    meaning: 'how many of them an hour, before the others come in one list; 0: any number',
    parse: (text) => wholeNumber(text, 1_000_000),
    mustBe: 'a number from 0 to 1000000',
  } satisfies Setting<number>,
  LOG_LEVEL: {
    usual: 'info',
    meaning: `what is logged: ${LEVELS.join(', ')}`,
    parse: (text) => (LEVELS.includes(text) ? text : undefined),
    mustBe: `one of ${LEVELS.join(', ')}`,
  } satisfies Setting<string>,
}

/** The settings as `--help` lists them. */
export const settingsHelp = Object.entries(settings)
  .map(([name, { usual, meaning }]) => `  ${name.padEnd(17)} ${meaning}${usual && ` (${usual})`}`)
  .join('\n')

/**
 * Reads the settings. An empty variable counts as not set.
 *
 * @throws {ConfigError} for the first invalid setting, or when one of some is missing
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const read = <Name extends Settings>(name: Name) => readSetting(env, name)
  const [server, to, from] = [read('SMTP_URL'), read('NOTIFY_TO'), read('NOTIFY_FROM')]
  const withSpam = read('NOTIFY_SPAM') === 'yes'
  const most = read('NOTIFY_MOST') || Infinity
  if ((server || to || from || withSpam) && !(server && to && from)) {
    throw new ConfigError('SMTP_URL, NOTIFY_TO and NOTIFY_FROM must all be set, or none of them.')
  }
  return {
    port: read('PORT'),
    isPortChosen: Boolean(env.PORT),
    host: read('HOST') || undefined,
    ...readPlace(env),
    trustedOrigins: new Set(read('TRUSTED_ORIGINS')),
    trustedProxies: read('TRUSTED_PROXIES'),
    rateLimit: read('RATE_LIMIT'),
    keepDays: read('KEEP_DAYS'),
    keepSpamDays: read('KEEP_SPAM_DAYS'),
    mail: server && to && from ? { server, to, from, withSpam, most } : undefined,
    logLevel: read('LOG_LEVEL'),
  }
}

/**
 * Reads where the store is: all that commands of the owner need.
 *
 * @throws {ConfigError}
 */
export function readPlace(env: NodeJS.ProcessEnv): Pick<Config, 'file' | 'databaseUrl'> {
  const databaseUrl = readSetting(env, 'DATABASE_URL') || undefined
  return { file: readSetting(env, 'SUBMISSIONS_FILE'), databaseUrl }
}

type Settings = keyof typeof settings

function readSetting<Name extends Settings>(env: NodeJS.ProcessEnv, name: Name) {
  const setting: Setting<unknown> = settings[name]
  const text = env[name] || setting.usual
  const value = setting.parse(text)
  if (value === undefined) throw wrongSetting(name, text)
  return value as NonNullable<ReturnType<(typeof settings)[Name]['parse']>>
}

/** Returns the error for an invalid setting. */
export function wrongSetting(
  name: Settings,
  value: string | number,
  mustBe = settings[name].mustBe,
): ConfigError {
  const { isSecret }: Setting<unknown> = settings[name]
  const found = isSecret ? 'must' : `is "${value}", but must`
  return new ConfigError(`${name} ${found} be ${mustBe}.`)
}

function wholeNumber(text: string, most: number): number | undefined {
  const value = Number(text)
  return /^\d+$/.test(text) && value <= most ? value : undefined
}

function listOf(text: string, fits: (item: string) => boolean): string[] | undefined {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
  return items.every(fits) ? items : undefined
}

/**
 * Whether a text is the address of a server, and no part of it but the password can be a piece of the
 * password: an unescaped `/`, `?` or `#` in it would end it, with an @ further on.
 */
function isServer(text: string): boolean {
  if (/[\s\p{Cc}#]/u.test(text) || !URL.canParse(text)) return false
  const { username, password, pathname, search } = new URL(text)
  return !`${pathname}${search}`.includes('@') && [username, password].every(isDecodable)
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

/** Whether a text is an IP address, or a network in CIDR notation (RFC 4632, RFC 4291). */
function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const version = isIP(address)
  if (version === 0 || text.split('/').length > 2) return false
  if (bits === undefined) return true
  const most = version === 4 ? 32 : 128
  return wholeNumber(bits, most) !== undefined && Number(bits) > 0
}
