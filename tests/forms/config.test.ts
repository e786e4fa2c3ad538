import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../src/forms/config.ts'
import { DEFAULT_FILE } from '../../src/store/submission.ts'

const names = new Set<string>()
readConfig(new Proxy({}, { get: (_, name) => void names.add(String(name)) }))

it('every setting has a default', () => {
  expect(readConfig({})).toEqual({
    port: 4173,
    host: undefined,
    file: DEFAULT_FILE,
    databaseUrl: undefined,
    trustedOrigins: new Set(),
    trustedProxies: [],
    rateLimit: 30,
    keepDays: Infinity,
    keepSpamDays: Infinity,
    mail: undefined,
    webhook: undefined,
    channels: [],
    withSpam: false,
    logLevel: 'info',
  })
})

it('an empty variable counts as not set', () => {
  expect(readConfig(Object.fromEntries([...names].map((name) => [name, ''])))).toEqual(
    readConfig({}),
  )
})

it('every setting is read', () => {
  const config = readConfig({
    PORT: '0',
    HOST: '::1',
    SUBMISSIONS_FILE: '/var/lib/pages.db',
    DATABASE_URL: 'postgresql://host/name',
    TRUSTED_ORIGINS: 'https://a.example, http://b.example:8080',
    TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,::1,fd00::/8',
    RATE_LIMIT: '0',
    KEEP_DAYS: '365',
    KEEP_SPAM_DAYS: '1',
    SMTP_URL: 'smtps://mail.example.com:465',
    NOTIFY_TO: 'ada@example.com, bob@münchen.de',
    NOTIFY_FROM: 'forms@example.com',
    NOTIFY_SPAM: 'yes',
    SMTP_USER: 'user@example.com',
    SMTP_PASSWORD: 'p@ss w/rd',
    NOTIFY_EVERY: '3',
    NOTIFY_URL: 'https://example.com/hook?token=abc',
    NOTIFY_SECRET: '0123456789abcdef',
    LOG_LEVEL: 'silent',
  })
  expect(config).toEqual({
    port: 0,
    host: '::1',
    file: '/var/lib/pages.db',
    databaseUrl: 'postgresql://host/name',
    trustedOrigins: new Set(['https://a.example', 'http://b.example:8080']),
    trustedProxies: ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'],
    rateLimit: 0,
    keepDays: 365,
    keepSpamDays: 1,
    mail: {
      server: 'smtps://mail.example.com:465',
      user: 'user@example.com',
      password: 'p@ss w/rd',
      to: ['ada@example.com', 'bob@xn--mnchen-3ya.de'],
      from: 'forms@example.com',
      pause: 3 * 60_000,
    },
    webhook: { url: 'https://example.com/hook?token=abc', secret: '0123456789abcdef' },
    channels: ['mail', 'webhook'],
    withSpam: true,
    logLevel: 'silent',
  })
})

it('the settings of notifications are set together, or none of them is', () => {
  const all = {
    SMTP_URL: 'smtp://localhost',
    NOTIFY_TO: 'ada@example.com',
    NOTIFY_FROM: 'forms@example.com',
  }
  const { SMTP_URL: server, NOTIFY_TO: to, NOTIFY_FROM: from } = all
  expect(readConfig(all).mail).toEqual({ server, to: [to], from, pause: 5 * 60_000 })
  const words = 'SMTP_URL, NOTIFY_TO and NOTIFY_FROM must all be set, or none of them.'
  for (const name of Object.keys(all) as (keyof typeof all)[]) {
    expect(() => readConfig({ ...all, [name]: '' })).toThrow(new ConfigError(words))
    expect(() => readConfig({ [name]: all[name] })).toThrow(new ConfigError(words))
  }
  expect(readConfig({ ...all, NOTIFY_EVERY: '0' }).mail?.pause).toBe(0)
  expect(() => readConfig({ ...all, SMTP_USER: 'ada' })).toThrow(/SMTP_PASSWORD must both/)
  expect(() => readConfig({ ...all, SMTP_PASSWORD: 'ada' })).toThrow(/SMTP_PASSWORD must both/)
  const login = { SMTP_USER: 'ada', SMTP_PASSWORD: 'secret' }
  const withLogin = { ...all, ...login, SMTP_URL: 'smtp://ada:secret@localhost' }
  expect(() => readConfig(withLogin)).toThrow(/not in both/)
  expect(() => readConfig({ NOTIFY_URL: 'https://example.com/' })).toThrow(
    /NOTIFY_SECRET must both/,
  )
  expect(() => readConfig({ NOTIFY_SECRET: '0123456789abcdef' })).toThrow(/must both/)
  expect(readConfig({ NOTIFY_SPAM: 'no' }).mail).toBeUndefined()
})

describe('an invalid value is reported with the name of its setting:', () => {
  for (const [name, values] of Object.entries({
    PORT: ['x', '-1', '65536', '80.5', '1e3', ' '],
    DATABASE_URL: ['mysql://host/name', 'localhost'],
    TRUSTED_ORIGINS: ['*', 'example.com', 'https://example.com/', 'https://example.com/x', 'null'],
    TRUSTED_PROXIES: [
      '*',
      'true',
      'localhost',
      '10.0.0.0/33',
      '10.0.0.0/0',
      '::/129',
      '1.2.3.4/8/8',
      '1',
    ],
    RATE_LIMIT: ['none', '-1', '1.5'],
    KEEP_DAYS: ['0', '-1', '1.5', 'all', '36501'],
    KEEP_SPAM_DAYS: ['0', 'x'],
    SMTP_URL: [
      ...['localhost', 'http://u:secret@mail.example.com', 'smtp://', 'smtp:localhost'],
      'smtp://u%:41secret@mail.example.com',
    ],
    NOTIFY_TO: ['ada', 'Ada <ada@example.com>', 'a@b.c, d', 'a@b.c\r\nBcc: d@e.f', 'é@b.c'],
    NOTIFY_FROM: ['ada@', 'Ada <ada@example.com>'],
    NOTIFY_SPAM: ['true', '1'],
    NOTIFY_EVERY: ['all', '-1', '1441'],
    NOTIFY_URL: ['example.com', 'ftp://example.com', 'https://u:p@example.com/'],
    NOTIFY_SECRET: ['short'],
    LOG_LEVEL: ['verbose', 'INFO'],
  })) {
    for (const value of values) {
      it(`${name}=${value}`, () => {
        const read = () => readConfig({ [name]: value })
        expect(read).toThrow(ConfigError)
        const isSecret = /_(URL|SECRET)$/.test(name)
        expect(read).toThrow(`${name} ${isSecret ? 'must' : `is "${value}", but must`} be `)
      })
    }
  }
})

it('the README of the receiver lists every setting', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../src/forms/README.md'), 'utf8')
  expect(names.size).toBe(19)
  expect([...names].filter((name) => !readme.includes(`| \`${name}\` |`))).toEqual([])
})
