/** Finds pages of the site that would be one file on some disks, such as /Blog/001 and /blog/001. */
import type { KeptPaths, Provenance } from '../dataset/precedence.ts'
import type { Content } from '../page/content.ts'
import { fault } from '../page/fault.ts'
import { documentName } from '../page/showable.ts'
import type { FileFault } from './explainer.ts'

/** Returns a fault for each page whose document an earlier page has. */
export function findSameFiles(keptPaths: KeptPaths, { site }: Content): FileFault[] {
  if (site === false) return []

  const faults: FileFault[] = []
  const firstByName = new Map<string, Provenance & { path: string }>()

  for (const page of keptPaths.pages()) {
    const name = documentName(page.path)
    const earlier = firstByName.get(name)
    if (!earlier) {
      firstByName.set(name, page)
      continue
    }

    const place = `record ${earlier.index} of ${earlier.batch}`
    const oneFile = fault('path.one-file', ['path'], { otherPath: earlier.path, place })
    faults.push({ file: page.batch, fault: { ...oneFile, page: page.index } })
  }
  return faults
}
