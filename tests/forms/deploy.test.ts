/** Tests the files of `deploy/`, and `nginx.conf` in a real nginx in front of a receiver. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type RequestOptions, request as send } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, type onTestFinished } from 'vitest'
import { addressOf } from '../../src/page/address.ts'
import { headers } from '../../src/static/policy.ts'
import { isLong } from '../helpers/long.ts'
import { freePort } from '../helpers/postgres.ts'
import { get, post, type Receiver, startReceiver } from '../helpers/receiver.ts'
import { newFolder } from '../helpers/serve.ts'
import { hashed, pages, plain, unclaimed, withThreeFields, writeSite } from '../helpers/site.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const CONFIG = read('deploy/nginx.conf')
const [nginx] = ['nginx', '/usr/sbin/nginx'].filter((name) => spawnSync(name, ['-v']).status === 0)

const path = `/api/forms${withThreeFields.path}`
const form = 'name=Ada&email=ada%40example.com'

it('nginx and systemd agree on the folder and on the address of the receiver', () => {
  const unit = read('deploy/manyurls.service')
  const [, folder] = /WorkingDirectory=(.*)/.exec(unit) ?? []
  const [, host, port] = /HOST=(\S+) PORT=(\S+)/.exec(unit) ?? []
  expect(CONFIG).toContain(`root ${folder}/dist;`)
  expect(CONFIG).toContain(`server ${host}:${port};`)
  expect(unit).toContain(`TRUSTED_PROXIES=${host}\n`)
})

it('the backup copies the file of the receiver, from the same folder and as the same user', () => {
  const lines = (file: string) => read(file).split('\n')
  const own = lines('deploy/manyurls.service')
  const shared = lines('deploy/manyurls-backup.service').filter((line) =>
    /^(User|WorkingDirectory|Environment)=/.test(line),
  )
  expect(shared).toHaveLength(3)
  expect(own).toEqual(expect.arrayContaining(shared))
  const [, command = ''] =
    /^ExecStart=sh -c '(.*)'$/m.exec(read('deploy/manyurls-backup.service')) ?? []
  const { scripts } = JSON.parse(read('package.json'))
  expect(command).toContain(`exec ${scripts.submissions} backup `)
})

it('the script for the owner passes on the settings of the service, and what is typed', async () => {
  const folder = newFolder()
  const standIn = (name: string, script: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  standIn(
    'systemctl',
    `case $3 in EnvironmentFiles) printf '/etc/a.env (ignore_errors=yes)\\n/etc/b.env (ignore_errors=no)\\n';;
    *) echo "the $3";; esac`,
  )
  standIn('systemd-run', 'printf "%s\\n" "$@"')
  const { stdout, status } = spawnSync(
    join(ROOT, 'deploy/submissions.sh'),
    ['delete', '--text', 'two words'],
    { env: { PATH: `${folder}:${process.env.PATH}` }, encoding: 'utf8' },
  )
  const { scripts } = JSON.parse(read('package.json'))
  expect(status).toBe(0)
  expect(stdout.split('\n')).toEqual([
    ...['--quiet', '--pipe', '--pty', '--wait', '--collect'],
    ...['a', 'b'].map((name) => `--property=EnvironmentFile=-/etc/${name}.env`),
    ...['User', 'WorkingDirectory', 'Environment'].map((name) => `--property=${name}=the ${name}`),
    ...scripts.submissions.split(' '),
    ...['delete', '--text', 'two words', ''],
  ])
})

it('the image has the Node.js version of .nvmrc, and runs the command of `npm run serve`', () => {
  const file = read('deploy/Dockerfile')
  const { scripts } = JSON.parse(read('package.json'))
  const stages = [...file.matchAll(/^FROM node:(\d+)-/gm)].map(([, version]) => version)
  const version = read('.nvmrc').trim()
  expect(stages).toEqual([version, version])
  const [, command = ''] = /^CMD (.*)$/m.exec(file) ?? []
  expect(JSON.parse(command).join(' ')).toBe(scripts.serve)
  expect(read('deploy/manyurls.service')).toContain(`ExecStart=${scripts.serve}\n`)
})

describe.runIf(isLong && nginx)('through nginx', () => {
  let receiver: Receiver
  let port: number
  let site: string
  // A hook that is registered in another hook would never run.
  const cleanUps: (() => unknown)[] = []
  const atEnd = (cleanUp: () => unknown) => void cleanUps.unshift(cleanUp)
  /** Returns what nginx has logged so far. */
  let log: () => string

  beforeAll(async () => {
    receiver = await startReceiver({
      HOST: '127.0.0.1',
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMIT: '5',
    })
    port = await freePort()
    const folder = newFolder(atEnd as typeof onTestFinished)
    site = writeSite(join(folder, 'dist'))
    log = await startNginx(folder, [
      ['listen 80;', `listen 127.0.0.1:${port};`],
      ['listen [::]:80;', ''],
      ['/srv/manyurls/current/dist', site],
      ['127.0.0.1:4173', `127.0.0.1:${receiver.port}`],
    ])
  })
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp()
    await receiver?.stop()
  })

  /** Starts nginx with some places in its configuration replaced, until the tests are over. */
  async function startNginx(folder: string, places: [was: string, is: string][]) {
    // Your own policy belongs in the file, too, but only if you use nginx.
    const policy: Record<string, string> = headers
    let config = CONFIG.replace(/(add_header (\S+)) .* always;/g, (line, start, name) =>
      policy[name] ? `${start} "${policy[name]}" always;` : line,
    )
    for (const [was, is] of places) {
      expect(config.split(was), was).toHaveLength(2)
      config = config.replace(was, is)
    }
    mkdirSync(join(folder, 'logs'))
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join(' ')
    // As root, nginx would run its workers as another user, who may not read the folder.
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    const file = join(folder, 'nginx.conf')
    writeFileSync(
      file,
      `${user} pid ${folder}/pid; error_log stderr warn; events {} http { include /etc/nginx/mime.types; access_log ${folder}/logs/access.log; ${temporary}\n${config} }`,
    )
    const options = ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off;']
    const child = spawn(nginx as string, options, { stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr.on('data', (text) => (stderr += text))
    const ended = once(child, 'close')
    atEnd(async () => {
      child.kill('SIGTERM')
      await ended
    })
    while (!(await get(port, '/').catch(() => undefined))) {
      if (child.exitCode !== null) throw new Error(`nginx does not start: ${stderr}`)
      await wait(20)
    }
    return () => stderr
  }

  /** Asks from one of the addresses of this machine. */
  const getFrom = (localAddress: string, place: string) =>
    sendFrom(localAddress, { path: place, method: 'GET' }, '')

  /** Posts from one of the addresses of this machine. */
  function postFrom(localAddress: string, body: string, more: Record<string, string> = {}) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...more }
    return sendFrom(localAddress, { path, method: 'POST', headers }, body)
  }

  function sendFrom(localAddress: string, request: RequestOptions, body: string) {
    return new Promise<{ status: number | undefined; retryAfter: string | undefined }>(
      (resolve, reject) => {
        send({ host: '127.0.0.1', port, localAddress, ...request }, (response) => {
          response.resume()
          const { statusCode: status, headers } = response
          response.on('end', () => resolve({ status, retryAfter: headers['retry-after'] }))
        })
          .on('error', reject)
          .end(body)
      },
    )
  }

  it('every page is the file on disk, with the headers of the policy', async () => {
    for (const { path } of pages) {
      const answer = await get(port, addressOf(path))
      expect(answer.status, path).toBe(200)
      expect(answer.body, path).toBe(readFileSync(join(site, `${path}.html`), 'utf8'))
      expect(answer.headers.get('content-type'), path).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('cache-control'), path).toBe('no-cache')
      expectPolicy(answer.headers, path)
    }
    expect((await get(port, '/')).body).toBe(readFileSync(join(site, 'index.html'), 'utf8'))
  })

  it('only hashed files may be cached forever', async () => {
    for (const name of readdirSync(join(site, 'immutable'))) {
      const answer = await get(port, `/immutable/${name}`)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expectPolicy(answer.headers, name)
    }
    for (const place of ['/', '/robots.txt', '/immutable/none-12345678.js']) {
      expect((await get(port, place)).headers.get('cache-control'), place).toBe('no-cache')
    }
  })

  it('a path without a page shows Not found with status 404', async () => {
    const notFound = readFileSync(join(site, '404.html'), 'utf8')
    for (const place of [
      ...[unclaimed, `${plain.path}/`, `${plain.path}.html`, plain.path.toUpperCase()],
      ...[
        '/blog',
        '/blog/',
        '/index',
        '/index.html',
        '/404',
        '/404.html',
        '/_headers',
        '/_receipt',
        '/site.json',
      ],
      ...['/immutable', '/immutable/', '/.git/config', '/package.json', '/healthz'],
      ...['/refusal/not-sent', '/refusal/receipt-later', '/refusal/none'],
      ...['/api/forms', '/forms/received'],
    ]) {
      const answer = await get(port, place)
      expect([answer.status, answer.body], place).toEqual([404, notFound])
      expectPolicy(answer.headers, place)
    }
  })

  it('a path that is encoded, or has two slashes, is that of the page: nginx reads both so', async () => {
    const document = readFileSync(join(site, `${plain.path}.html`), 'utf8')
    const encoded = plain.path.replace(/.$/, (last) => `%${last.charCodeAt(0).toString(16)}`)
    for (const place of [encoded, `/${plain.path}`]) {
      const answer = await get(port, place)
      expect([answer.status, answer.body], place).toEqual([200, document])
    }
  })

  it('links inside of the folder are not followed, and hidden files are not served', async () => {
    const notFound = readFileSync(join(site, '404.html'), 'utf8')
    writeFileSync(join(site, '../secret.txt'), 'secret')
    symlinkSync('../secret.txt', join(site, 'link.txt'))
    symlinkSync('..', join(site, 'up'))
    writeFileSync(join(site, '.env'), 'secret')
    for (const folder of ['.git', '.well-known']) {
      mkdirSync(join(site, folder))
      writeFileSync(join(site, folder, 'config'), 'text')
    }
    for (const place of ['/link.txt', '/up/secret.txt', '/.env', '/.git/config', '/.git']) {
      const answer = await get(port, place)
      expect([answer.status, answer.body], place).toEqual([404, notFound])
    }
    expect((await get(port, '/.well-known/config')).body).toBe('text')
    // Clear for the other tests.
    for (const name of ['link.txt', 'up', '.env', '.git', '.well-known']) {
      rmSync(join(site, name), { recursive: true })
    }
  })

  it('only the addresses of monitoring learn whether submissions can be stored', async () => {
    expect((await get(port, '/readyz')).body).toBe('ready\n')
    expect((await getFrom('127.0.0.5', '/readyz')).status).toBe(404)
  })

  it('a browser that accepts gzip gets it, from a compressed file if there is one', async () => {
    const fetched = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}${hashed}`)
      expect(answer.headers.get('content-encoding')).toBe('gzip')
      expect(answer.headers.get('vary')).toBe('Accept-Encoding')
      return answer.text()
    }
    expect(await fetched()).toBe(readFileSync(join(site, hashed), 'utf8'))
    writeFileSync(join(site, `${hashed}.gz`), gzipSync('compressed before'))
    expect(await fetched()).toBe('compressed before')
    expect((await get(port, `${hashed}.gz`)).status).toBe(404)
    expect(gunzipSync(readFileSync(join(site, `${hashed}.gz`))).toString()).toBe(
      'compressed before',
    )
  })

  it('a form is stored, and its receipt is shown, with each header once', async () => {
    const answer = await post(port, { path, body: form })
    expect(answer.status).toBe(303)
    const receipt = await get(port, answer.headers.get('location') ?? '')
    expect(receipt.status).toBe(200)
    expect(receipt.body).toContain('Thank you')
    expectPolicy(answer.headers, 'the answer')
    expectPolicy(receipt.headers, 'the receipt')
    expect(receipt.headers.get('cache-control')).toBe('no-store')
    expect(await receiver.stored()).toHaveLength(1)
  })

  it('a form from another site is refused, and one from this site is not', async () => {
    const from = async (origin: string) =>
      (await postFrom('127.0.0.9', form, { origin, host: 'pages.example' })).status
    expect(await from('https://pages.example')).toBe(303)
    expect(await from('https://elsewhere.example')).toBe(403)
    const hosts = { origin: 'https://elsewhere.example', 'x-forwarded-host': 'elsewhere.example' }
    expect((await postFrom('127.0.0.9', form, hosts)).status).toBe(403)
  })

  it('a form that is too large comes back; nginx itself refuses only much larger bodies', async () => {
    const large = await post(port, { path, body: `${form}&message=${'x'.repeat(100_000)}` })
    expect(large.status).toBe(413)
    expect(large.body).toContain('x'.repeat(100_000))
    expectPolicy(large.headers, 'the receiver')
    const larger = await post(port, { path, body: `${form}&message=${'x'.repeat(500_000)}` })
    expect(larger.status).toBe(413)
    expectPolicy(larger.headers, 'the receiver')
    const largest = await post(port, { path, body: `${form}&message=${'x'.repeat(1_100_000)}` })
    expect(largest.status).toBe(413)
    expect(largest.body).toContain('up to 64 KiB')
    expect(largest.headers.get('content-type')).toContain('text/html')
    expect(largest.headers.get('cache-control')).toBe('no-store')
    expectPolicy(largest.headers, 'nginx')
  })

  it('the rate limit applies to each visitor, whatever X-Forwarded-For says', async () => {
    for (let count = 0; count < 5; count++) {
      expect((await postFrom('127.0.0.2', form)).status).toBe(303)
    }
    for (const forged of ['192.0.2.1', '127.0.0.1', '192.0.2.2, 192.0.2.3']) {
      const { status, retryAfter } = await postFrom('127.0.0.2', form, {
        'x-forwarded-for': forged,
      })
      expect(status).toBe(429)
      expect(Number(retryAfter)).toBeGreaterThan(0)
    }
    expect((await postFrom('127.0.0.3', form)).status).toBe(303)
  })

  it('nginx writes no form to a file, and logs no visitor', async () => {
    await post(port, { path, body: `${form}&message=${'x'.repeat(900_000)}` })
    expect(log()).not.toContain('temporary file')
    expect(log()).not.toContain('127.0.0.2')
    expect(readFileSync(join(site, '../logs/access.log'), 'utf8')).toBe('')
  })

  it('without a receiver, pages are served, and visitors are asked to send the form again', async () => {
    await receiver.close(0)
    expect((await get(port, plain.path)).status).toBe(200)
    const { status, headers, body } = await post(port, { path, body: form })
    expect(status).toBe(503)
    expect(body).toContain('did not answer')
    expect(headers.get('content-type')).toContain('text/html')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('retry-after')).toBe('60')
    expectPolicy(headers, 'no answer')
  })

  it('without a receiver, the page of a receipt says that the form is stored', async () => {
    await receiver.close(0)
    const { status, headers, body } = await get(port, '/forms/received/4x7h-q2m9')
    expect(status).toBe(503)
    expect(body).toContain('What you sent is stored.')
    expect(body).not.toContain('again')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('retry-after')).toBe('5')
    expectPolicy(headers, 'no answer')
  })

  function expectPolicy(sent: Headers, of: string) {
    for (const [name, value] of Object.entries(headers)) {
      expect(sent.get(name), `${name} of ${of}`).toBe(value)
    }
  }
})
