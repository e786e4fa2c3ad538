/** How Vite bundles the site into `dist/`. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { baseOf, readAddress } from '../page/address.ts'
import { documents } from './static/static-site.ts'

const address = readAddress(process.env.SITE_URL)

export default defineConfig({
  root: import.meta.dirname,
  base: `${baseOf(address)}/`,
  appType: 'custom',
  plugins: [react(), documents({ address })],
  // wouter brings the hook for older versions of React, too: 0.4 kB of every first load.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  build: {
    outDir: '../../dist',
    emptyOutDir: true,
    modulePreload: false,
    // A data: URL would need an exception in the Content Security Policy.
    assetsInlineLimit: 0,
    // Rendering the documents is expected to take most of the time.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
})
