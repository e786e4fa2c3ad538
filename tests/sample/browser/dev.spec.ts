import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import type { Page } from '../../../scripts/samples/batches.ts'
import { site } from '../../../src/site.ts'
import { hydrated } from '../../browser/watch.ts'

const ROOT = join(import.meta.dirname, '../../..')
// Below the root, so that node_modules is found; in a folder whose changes Vite does not ignore.
const WORKSPACES = join(ROOT, 'tests/.workspaces')

/** Runs a process that may watch no file, where Linux allows it: it has to see changes all the same. */
const NO_WATCHES = [
  'unshare',
  '-r',
  'bash',
  '-c',
  'echo 0 >/proc/sys/user/max_inotify_watches; exec "$0" "$@"',
]
const canForbid = spawnSync('unshare', ['-r', 'true']).status === 0
const WITHOUT_WATCHES = canForbid ? NO_WATCHES : []

let workspace: string
let server: ChildProcess
let address: string
let terminal = ''

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  mkdirSync(WORKSPACES, { recursive: true })
  workspace = mkdtempSync(join(WORKSPACES, 'dev-'))
  // With a package.json, Vite keeps its cache in this folder. In that of the project, it would
  // replace the cache of a dev server that is open beside the tests.
  const copied = ['raw-batches', 'schema', 'scripts', 'src', 'package.json', 'tsconfig.json']
  for (const name of copied) {
    // The committed files only: the dev server has to generate the others.
    const filter = (file: string) => file !== join(ROOT, 'src/generated')
    cpSync(join(ROOT, name), join(workspace, name), { recursive: true, filter })
  }
  // Playwright requests colors, whose escape codes would split the address.
  // With port 0, the system chooses a free one.
  const env = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: '1', PORT: '0' }
  const command = [...WITHOUT_WATCHES, process.execPath, '--import', 'tsx', 'scripts/dev.ts']
  server = spawn(command[0] as string, command.slice(1), { cwd: workspace, env })
  address = await new Promise((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      terminal += chunk
      const [, url] = /(http:\/\/localhost:\d+\/)/.exec(terminal) ?? []
      if (url) resolve(url)
    }
    server.stdout?.on('data', listen)
    server.stderr?.on('data', listen)
    server.on('close', () => reject(new Error(`the dev server ended: ${terminal}`)))
  })
})

test.afterEach(() => {
  const { status, expectedStatus } = test.info()
  if (status !== expectedStatus) console.error(`${terminal}\nexit status: ${server.exitCode}`)
})

test.afterAll(() => {
  server.kill()
  rmSync(workspace, { recursive: true, force: true })
})

test('the server listens on PORT, and refuses an invalid port', () => {
  // Vite's default is 5173, or the next free one.
  expect(Number(new URL(address).port)).toBeGreaterThan(10_000)
  const { status, stderr } = runScript('dev', { PORT: 'x' })
  expect(stderr).toMatch(/^dev: the port must be a number from 0 to 65535, but is "x".*\n$/)
  expect(status).toBe(2)
})

/** Runs a script beside the server, until it ends. It finds compiled what the server has loaded. */
function runScript(name: 'dev' | 'build', env: NodeJS.ProcessEnv = {}) {
  return spawnSync(process.execPath, ['--import', 'tsx', `scripts/${name}.ts`], {
    cwd: workspace,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
}

/** The first batch, to change and restore. */
function firstBatch() {
  const file = join(workspace, 'raw-batches/batch-01.json')
  const original = readFileSync(file, 'utf8')
  const [page] = JSON.parse(original) as [Page]
  return {
    page,
    save: (text: string) => writeFileSync(file, text),
    mend: () => writeFileSync(file, original),
    original,
  }
}

const dataset = () => readFileSync(join(workspace, 'src/generated/dataset.json'), 'utf8')

test('a page opened by its address has its style, and is updated when its batch is saved', async ({
  page: tab,
}) => {
  const batch = firstBatch()
  await tab.goto(address.slice(0, -1) + batch.page.path)
  await expect(tab.locator('body')).toHaveCSS('margin', '0px')
  await hydrated(tab)
  await tab.evaluate(() => document.body.setAttribute('data-same-document', ''))
  batch.save(batch.original.replace('<p>', '<p>Edited while open. '))
  await expect(tab.locator('.body p').first()).toContainText('Edited while open.')
  await expect(tab.locator('body')).toHaveAttribute('data-same-document', '')
  batch.mend()
  await expect(tab.locator('.body p').first()).not.toContainText('Edited while open.')
})

test('the page shows the later of two saves, also if its content arrives first', async ({
  page: tab,
}) => {
  const batch = firstBatch()
  const save = (mark: string) => batch.save(batch.original.replace('<p>', `<p>${mark} `))
  const shown = tab.locator('.body p').first()
  await tab.goto(address.slice(0, -1) + batch.page.path)
  await hydrated(tab)
  let fetched = () => {}
  const earlier = new Promise<void>((resolve) => (fetched = resolve))
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => (release = resolve))
  await tab.route(`**${batch.page.path}`, async (route) => {
    const response = await route.fetch()
    const isEarlier = (await response.text()).includes('Earlier.')
    if (isEarlier) {
      fetched()
      await isReleased
    }
    await route.fulfill({ response })
  })
  save('Earlier.')
  await earlier
  save('Later.')
  await expect.poll(dataset).toContain('Later.')
  await setTimeout(500)
  const answered = tab.waitForResponse(`**${batch.page.path}`)
  release()
  await (await answered).finished()
  await setTimeout(500)
  await expect(shown).toContainText('Later.')
  batch.mend()
  await expect(shown).not.toContainText('Later.')
})

test('a broken batch is reported in the overlay and the terminal until it is fixed', async ({
  page: tab,
}) => {
  const batch = firstBatch()
  await tab.goto(address)
  await expect(tab.locator('h1')).toBeVisible()
  batch.save(batch.original.replace('"title"', '"titel"'))

  const overlay = tab.locator('vite-error-overlay')
  const body = overlay.locator('.message-body')
  const problem = `raw-batches/batch-01.json:4:5  record 1 (${batch.page.path})  /0/titel`
  await expect(body).toContainText(problem)
  // Only the line of the mistake is red.
  await expect(body.getByText(problem)).toHaveCSS('color', 'rgb(216, 216, 216)')
  await expect(body.getByText(/> 4 \|/)).toHaveCSS('color', 'rgb(255, 85, 85)')
  await expect.poll(() => terminal).toContain(problem)
  await expect(tab.locator('main a').first()).toBeAttached()

  await tab.reload()
  await expect(body.getByText(/> 4 \|/)).toHaveCSS('color', 'rgb(255, 85, 85)')
  await expect(tab.locator('main a').first()).toBeAttached()

  batch.save(batch.original.replace('"type": "email"', '"type": "e-mail"'))
  await expect(body).toContainText('npm run build-data -- --fix')

  // The same pages, from other bytes.
  batch.save(`${batch.original}\n`)
  await expect(overlay).toHaveCount(0)
  batch.mend()
  await expect(tab.locator('h1')).toBeVisible()
})

test('a mistake in a screen appears in the overlay until it is mended', async ({ page: tab }) => {
  const file = join(workspace, 'src/app/screens/IndexScreen.tsx')
  const original = readFileSync(file, 'utf8')
  const overlay = tab.locator('vite-error-overlay')
  await tab.goto(address)
  await hydrated(tab)
  writeFileSync(file, original.replace('<main', '<main <'))
  await expect(overlay.locator('.message')).toContainText('IndexScreen.tsx')
  writeFileSync(file, original.replace('{site.name}', 'Mended'))
  await expect(tab.getByText('Mended')).toBeVisible()
  await expect(overlay).toHaveCount(0)
  writeFileSync(file, original)
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText(site.name)
})

test('a form is answered with the command that receives it', async ({ request }) => {
  const answer = await request.post(`${address}api/forms/contact/007`)
  expect(answer.status()).toBe(501)
  expect(await answer.text()).toBe('npm run dev receives no forms; npm start does.\n')
})

test('a new batch appears on the index without a restart, and disappears when deleted', async ({
  page: tab,
}) => {
  const { page } = firstBatch()
  await tab.goto(address)
  const counts = tab.locator('header p')
  const before = (await counts.textContent()) as string
  const file = join(workspace, 'raw-batches/batch-99.json')
  const taken = dataset()
  const id = Array.from({ length: 99 }, (_, index) => String(index + 1).padStart(3, '0')).find(
    (id) => !taken.includes(`"/about/${id}"`),
  )
  const added = { ...page, path: `/about/${id}`, title: `About Page ${id}` }
  writeFileSync(file, JSON.stringify([added]))
  await expect(tab.locator(`a[href="${added.path}"]`)).toBeAttached()
  await expect(counts).not.toHaveText(before)
  const changed = (counts: string) => `dataset rebuilt\n  dataset.json: ${counts}\n`
  await expect.poll(() => terminal).toContain(changed('1 new, 0 changed, 0 gone'))
  writeFileSync(file, JSON.stringify([added, { ...page, contentHtml: '<p>Other.</p>' }]))
  const dropped =
    '  raw-batches/batch-99.json  2 records: 1 kept, 1 dropped (conflicting with raw-batches/batch-01.json)\n'
  await expect.poll(() => terminal).toContain(changed('unchanged') + dropped)
  rmSync(file)
  await expect(counts).toHaveText(before)
})

test('a missing batch folder is reported, and its batches are read again when it is back', async () => {
  const folder = join(workspace, 'raw-batches')
  const batch = firstBatch()
  for (const round of ['first', 'second']) {
    const printed = terminal.length
    const output = () => terminal.slice(printed)
    renameSync(folder, `${folder}-away`)
    await expect.poll(output).toContain('there is no folder raw-batches')
    expect(output()).not.toContain('--batches')
    renameSync(`${folder}-away`, folder)
    await expect.poll(output).toContain('batches are valid again')
    const mark = `Edited after the ${round} return. `
    batch.save(batch.original.replace('<p>', `<p>${mark}`))
    await expect.poll(dataset).toContain(mark)
  }
  batch.mend()
  await expect.poll(dataset).not.toContain('Edited after')
})

// The last one: the server would load it, too.
test('dev and build say in one line what is wrong with content.ts', () => {
  writeFileSync(join(workspace, 'src/content.ts'), "throw new Error('no price')")
  const why = 'src/content.ts cannot be loaded: no price\n'
  expect(runScript('dev')).toMatchObject({ status: 2, stderr: `dev: ${why}` })
  expect(runScript('build')).toMatchObject({ status: 2, stderr: `build-data: ${why}` })
})
