import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildData } from '../../src/command/build-data.ts'
import { page } from '../helpers/page.ts'
import { CONTENT, createWorkspace, importing, SCHEMA, Text } from '../helpers/workspace.ts'

test.each(['out', 'gen (1)', 'gen(1)', '!x', 'a{b}', 'gen[1]'])(
  'a pattern that matches the dataset in the folder %j leaves it out',
  async (name) => {
    const { batches, batch } = createWorkspace()
    batch('a.json', [page()])
    const pattern = join(batches, '**/*.json')
    const build = async () => {
      const [stdout, stderr] = [new Text(), new Text()]
      const places = ['--batches', pattern, '--out', join(batches, name)]
      const own = ['--schema', SCHEMA, '--config', CONTENT]
      const terminal = { stdout, stderr, env: {}, ...importing() }
      const status = await buildData([...places, ...own], terminal)
      return [status, stderr.text, stdout.text]
    }

    expect((await build()).slice(0, 2)).toEqual([0, ''])
    expect(await build()).toEqual([0, '', expect.stringContaining('a.json  1 record: 1 kept')])
  },
)
