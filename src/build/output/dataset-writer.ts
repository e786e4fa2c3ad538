/** Publishes the dataset: its pages, types and manifest, compared with those of the build before. */
import { constants } from 'node:buffer'
import fs from 'node:fs'
import path from 'node:path'
import { isRefusal } from '../../accept/codes.ts'
import {
  comparePages,
  findNewWinners,
  LARGEST_COMPARED,
  type NewWinner,
  type PageChanges,
} from '../../dataset/changes.ts'
import {
  DATASET,
  emitManifest,
  FILES,
  type FileEntry,
  findForeign,
  type Manifest,
  makeManifest,
  markAlone,
} from '../../dataset/format.ts'
import type { KeptPaths } from '../../dataset/precedence.ts'
import type { Problem } from '../../explain/problem.ts'
import { BuildError, onDisk } from '../../machine/errors.ts'
import { readStart } from '../../machine/files.ts'
import { GrowingFile } from '../../machine/growing-file.ts'
import type { Content } from '../../page/content.ts'
import { Cache, type DigestContent } from '../disk/cache.ts'
import { FileSet } from '../disk/file-set.ts'
import { LinkCheck } from '../link-check.ts'
import { readAgain } from '../read-batches.ts'
import { ReferenceCheck } from '../reference-check.ts'
import { findSameFiles } from '../same-files.ts'
import type { Delivery, Source } from '../source.ts'
import { DatasetPages } from './dataset-pages.ts'
import type { Output } from './output.ts'

export interface Published {
  manifest: Manifest
  /** Whether all files were already up to date. */
  wasCurrent: boolean
  /** Compared with the previous dataset; if that one or both are large, only whether it changed. */
  changes: PageChanges | boolean
  /** The pages that a new batch took from earlier ones. */
  newWinners: NewWinner[]
}

/** What is remembered of a large build, for the next one of the same batches and schema. */
interface LastBuild {
  /** In the order in which they are put into place: the manifest comes last. */
  files: FileEntry[]
  warnings: readonly Problem[]
}

/** How many bytes of a file show whether a build has made it. */
const MARK_LENGTH = 200

export interface DatasetOptions {
  source: Source
  content: Content
  /** The dataset folder. */
  out: string
  /** Without it, no batch is remembered. */
  digestContent?: DigestContent
  /** Whether a conflicting duplicate is a problem. */
  isStrict?: boolean
  /** Whether to only compare, and write nothing. */
  isCheck?: boolean
  /** Stops the build between two batches: it throws the signal's reason, and writes nothing. */
  signal?: AbortSignal
}

/**
 * @param keptPaths where the pages claim their paths; still empty
 * @param isLarge whether the delivery is remembered
 * @throws BuildError if the folder has a file of the same name that is not of a dataset
 */
export function writeDataset(
  { source, content, out, digestContent, isStrict, isCheck = false, signal }: DatasetOptions,
  keptPaths: KeptPaths,
  { all, size }: Delivery,
  isLarge: boolean,
): Output<Published> {
  refuseForeign(out)
  const set = new FileSet(out, isCheck)
  const work = isCheck ? undefined : set.work
  const cache = new Cache(out, { digestContent, work, room: 2 * size })
  const links = new LinkCheck(keptPaths)
  const references = new ReferenceCheck()
  const growing = new GrowingFile(path.join(set.work, FILES.dataset))
  const pages = new DatasetPages(growing, keptPaths)
  const madeOf = (sha256: string) => JSON.stringify([sha256, all.map(({ name }) => name)])
  const sizeBefore = () => {
    return fs.statSync(path.join(out, FILES.dataset), { throwIfNoEntry: false })?.size ?? 0
  }

  return {
    cache,

    findFaults: () => [
      ...links.findFaults(),
      ...references.findFaults(),
      ...findSameFiles(keptPaths, content),
    ],

    claim(batch) {
      const { dropped, faults } = pages.claim(batch, isStrict)
      links.add(batch, dropped)
      references.add(batch)
      return { dropped: dropped.size, faults }
    },

    async findCurrent({ sha256 }) {
      const last = cache.get<LastBuild>('build', madeOf(sha256))
      if (!last) return undefined
      const { files, warnings } = last
      for (const entry of files) set.add(entry.file, entry)
      if (set.outdated().length > 0) return undefined
      const manifest: Manifest = JSON.parse(fs.readFileSync(path.join(out, FILES.manifest), 'utf8'))
      for (const batch of manifest.batches) {
        signal?.throwIfAborted()
        if (!(await readAgain(source, batch))) return undefined
      }
      return { manifest, wasCurrent: true, changes: false, newWinners: [], warnings }
    },

    isEmptied: () => keptPaths.kept === 0 && sizeBefore() > DATASET.empty.length,

    async publish(batches, { sha256 }, warnings, makeTypes) {
      const declaration = await makeTypes()
      const refused = warnings.filter(isRefusal).map(({ batch, record, pointer, code }) => {
        return { batch, index: record as number, pointer, code }
      })
      const { withForms, ...digest } = pages.seal()
      // In the order of `findForeign`.
      const types = set.write(FILES.types, [declaration])
      const dataset = set.add(FILES.dataset, digest)
      const { kept, duplicates } = keptPaths
      const manifest = makeManifest(
        { dataset, types, schema: { sha256 }, batches, refused, duplicates },
        { kept, withForms },
      )
      const file = set.write(FILES.manifest, emitManifest(manifest))
      const isCompared = Math.max(sizeBefore(), dataset.bytes) <= LARGEST_COMPARED
      const before = isCompared ? readStart(path.join(out, FILES.dataset)) : ''
      const newWinners = findNewWinners(readStart(path.join(out, FILES.manifest)), manifest)
      // Someone may have put a file there in the meantime.
      refuseForeign(out)
      const replaced = isCheck ? set.outdated() : await set.commit(signal)
      if (!isCheck) {
        // Only if nothing was left out: the next build may have to refuse that.
        if (isLarge && refused.length === 0 && file.bytes <= constants.MAX_STRING_LENGTH)
          cache.add<LastBuild>('build', madeOf(sha256), { files: [types, dataset, file], warnings })
        cache.save()
      }
      const hasChanged = replaced.includes(FILES.dataset)
      const after = () => growing.read(0, growing.size).toString()
      const changes = hasChanged && isCompared ? comparePages(before, after()) : hasChanged
      return { manifest, wasCurrent: replaced.length === 0, changes, newWinners }
    },

    async keepTypes(declaration) {
      if (isCheck) return

      const alone = markAlone(declaration)
      const current = readStart(path.join(out, FILES.types))
      if (current === declaration || current === alone) return

      refuseForeign(out)
      set.write(FILES.types, [alone])
      await set.commit(signal)
    },

    discard() {
      growing.close()
      set.discard()
    },
  }
}

/** @throws BuildError if the dataset would replace a file that no build made, as far as we know */
function refuseForeign(out: string): void {
  const startOf = (file: string) => readStart(path.join(out, file), MARK_LENGTH)
  const foreign = onDisk(`read ${out}`, () => findForeign(startOf))
  if (foreign === undefined) return

  const file = path.join(out, foreign)
  throw new BuildError(
    `nothing shows that build-data made ${file}, so it is not replaced; move it away, or name another folder by --out`,
  )
}
