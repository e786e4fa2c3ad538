/** How Vite bundles the site into `dist/`. */
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { baseOf, readAddress } from '../page/address.ts'
import { devDocuments } from './static/dev-documents.ts'
import { IMMUTABLE } from './static/policy.ts'

const address = readAddress(process.env.SITE_URL)

export default defineConfig({
  root: import.meta.dirname,
  base: `${baseOf(address)}/`,
  appType: 'custom',
  plugins: [react(), devDocuments({ address })],
  // wouter brings the hook for older versions of React, and patterns of paths, which nothing uses:
  // 0.7 kB of every first load.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react', regexparam: 'react' } },
  build: {
    outDir: '../../dist',
    assetsDir: IMMUTABLE,
    emptyOutDir: true,
    modulePreload: false,
    // A data: URL would need an exception in the Content Security Policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The search is an entry of its own, because the document of the index names it.
      input: ['index.html', 'content/search.ts'].map((file) => join(import.meta.dirname, file)),
      preserveEntrySignatures: 'strict',
      // React would offer itself to the browser's developer tools, and show its own sign that a screen
      // loads, by a navigation: 0.5 kB of every first load.
      transform: {
        define: { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined', navigation: 'undefined' },
      },
    },
  },
})
