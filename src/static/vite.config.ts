/** How Vite bundles the site into `dist/`. */
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { baseOf, readAddress } from '../page/address.ts'
import { devDocuments } from './dev-documents.ts'
import { defineElements } from './elements.ts'
import { IMMUTABLE } from './policy.ts'

const address = readAddress(process.env.SITE_URL)

export default defineConfig({
  root: join(import.meta.dirname, '../app'),
  publicDir: join(import.meta.dirname, '../public'),
  base: `${baseOf(address)}/`,
  appType: 'custom',
  define: defineElements(),
  // wouter imports React's own hook by a module that has a copy for versions of React without it.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  plugins: [react(), devDocuments(address), plainImports()],
  build: {
    assetsDir: IMMUTABLE,
    emptyOutDir: true,
    modulePreload: false,
    // A data: URL would need an exception in the Content Security Policy.
    assetsInlineLimit: 0,
    // On a busy machine, Rolldown would say that its plugins are slow.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
})

/** The module in which Vite loads the styles of a chunk before the chunk. It's a fifth of what a page loads. */
const PRELOAD_HELPER = '\0vite/preload-helper.js'

/** Imports a chunk as it is: the site has one style sheet, which each document names. */
function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (id === PRELOAD_HELPER) return 'export const __vitePreload = (load) => load()'
    },
  }
}
