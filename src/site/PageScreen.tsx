import type { Page } from '../generated/dataset.json'
import { PageForm } from './PageForm.tsx'
import { Sheet } from './Sheet.tsx'
import { trustBody } from './trust.ts'

/** The screen of one page: its title, its body, and its form when it has one. */
export function PageScreen({ page }: { page: Page }) {
  return (
    <Sheet kind={page.form ? 'has-form' : 'static'}>
      <h1 id="title" tabIndex={-1}>
        {page.title}
      </h1>
      <div
        className="body"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the schema admits only paragraphs of text
        dangerouslySetInnerHTML={{ __html: trustBody(page.contentHtml) }}
      />
      {page.form && <PageForm form={page.form} path={page.path} />}
    </Sheet>
  )
}
