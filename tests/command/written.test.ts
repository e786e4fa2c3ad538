import { join } from 'node:path'
import { expect, test } from 'vitest'
import { page } from '../helpers/page.ts'
import { createWorkspace, runBuildData } from '../helpers/workspace.ts'

test.each(['out', 'gen (1)', 'gen(1)', '!x', 'a{b}', 'gen[1]'])(
  'a pattern that matches the dataset in the folder %j leaves it out',
  async (name) => {
    const { batches, batch } = createWorkspace()
    batch('a.json', [page()])
    const pattern = join(batches, '**/*.json')
    const build = async () => {
      const places = ['--batches', pattern, '--out', join(batches, name)]
      const { status, stderr, stdout } = await runBuildData(places)
      return [status, stderr, stdout]
    }

    expect((await build()).slice(0, 2)).toEqual([0, ''])
    expect(await build()).toEqual([0, '', expect.stringMatching(/^pages: 1 record, no mistake\n/)])
  },
)
