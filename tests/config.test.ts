import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig, settingsHelp } from '../src/forms/receive/config.ts'
import { DEFAULT_FILE } from '../src/forms/store/open-store.ts'

const names = [...settingsHelp.matchAll(/^ {2}([A-Z_]+)/gm)].map(([, name]) => name as string)

it('every setting has a default', () => {
  expect(readConfig({})).toEqual({
    port: 4173,
    isPortChosen: false,
    host: undefined,
    file: DEFAULT_FILE,
    databaseUrl: undefined,
    trustedOrigins: new Set(),
    trustedProxies: [],
    rateLimit: 30,
    logLevel: 'info',
  })
})

it('an empty variable counts as not set', () => {
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}))
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
    LOG_LEVEL: 'silent',
  })
  expect(config).toEqual({
    port: 0,
    isPortChosen: true,
    host: '::1',
    file: '/var/lib/pages.db',
    databaseUrl: 'postgresql://host/name',
    trustedOrigins: new Set(['https://a.example', 'http://b.example:8080']),
    trustedProxies: ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'],
    rateLimit: 0,
    logLevel: 'silent',
  })
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
    LOG_LEVEL: ['verbose', 'INFO'],
  })) {
    for (const value of values) {
      it(`${name}=${value}`, () => {
        const read = () => readConfig({ [name]: value })
        expect(read).toThrow(ConfigError)
        const isSecret = name === 'DATABASE_URL'
        expect(read).toThrow(`${name} ${isSecret ? 'must' : `is "${value}", but must`} be `)
      })
    }
  }
})

it('the README of the receiver lists every setting', () => {
  const readme = readFileSync(join(import.meta.dirname, '../src/forms/README.md'), 'utf8')
  expect(names).toHaveLength(8)
  expect(names.filter((name) => !readme.includes(`| \`${name}\` |`))).toEqual([])
})
