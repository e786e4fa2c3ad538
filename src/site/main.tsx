import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { contentFrom } from './chunks.ts'

const element = document.getElementById('root')
if (!element) throw new Error('the document has no element with the id "root"')
const { path, chunk } = element.dataset
const address = location.pathname

const app = async (from: typeof contentFrom) => {
  const content = from(address, { path, chunk })
  await content.load(location.pathname)
  return (
    <StrictMode>
      <App content={content} />
    </StrictMode>
  )
}

const root = hydrateRoot(element, await app(contentFrom))

// In development, a dataset that has changed comes in by this module and no document is loaded.
import.meta.hot?.accept('./chunks.ts', async (chunks) => {
  if (chunks) root.render(await app(chunks.contentFrom))
})
