/** Says what is wrong at the first place where a text isn't YAML. */
import { divide } from '../../formats/front-matter.ts'
import { compose } from '../../formats/yaml/document.ts'
import { type Fault, textFault } from '../../page/fault.ts'

export function findYamlError(text: string): Fault {
  const [error] = compose(text).errors
  if (!error) throw new Error('the text is YAML')

  const [start, end] = error.pos
  return textFault('yaml.syntax', { start, end }, { message: error.message })
}

/** Says what is wrong with front matter that isn't YAML. */
export function findFrontMatterError(text: string): Fault {
  const parts = divide(text)
  if ('code' in parts) return parts
  return findYamlError(parts.head)
}
