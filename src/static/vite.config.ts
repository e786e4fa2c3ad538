/** How Vite bundles the site into `dist/`. */
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
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
  plugins: [react(), devDocuments(address)],
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
