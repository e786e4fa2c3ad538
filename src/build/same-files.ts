/** Finds pages of the site that would be one file on some disks, such as /Blog/001 and /blog/001. */
import type { Collection } from '../collections/collection.ts'
import type { KeptIds, Provenance } from '../dataset/precedence.ts'
import { type FileFault, fault } from '../fault/fault.ts'
import { documentName } from '../page/showable.ts'

/** Returns a fault for each page whose document an earlier page has. */
export function findSameFiles(keptIds: KeptIds, { pages }: Collection): FileFault[] {
  if (!pages || pages.site === false) return []

  const faults: FileFault[] = []
  const firstByName = new Map<string, Provenance & { id: string }>()

  for (const page of keptIds.items()) {
    const name = documentName(page.id)
    const earlier = firstByName.get(name)
    if (!earlier) {
      firstByName.set(name, page)
      continue
    }

    const oneFile = fault('path.one-file', ['path'], { otherPath: earlier.id, other: earlier })
    faults.push({ file: page.batch, fault: { ...oneFile, page: page.index } })
  }
  return faults
}
