import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { documents } from './documents.ts'

const { SITE_URL } = process.env

export default defineConfig({
  root: import.meta.dirname,
  appType: 'custom',
  plugins: [react(), documents(SITE_URL ? { base: new URL(SITE_URL).origin } : {})],
  build: {
    outDir: '../../dist',
    emptyOutDir: true,
    // Browsers that know light-dark(): for older ones Vite would rewrite every use of it.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    // A data: address would need a hole in the Content Security Policy.
    assetsInlineLimit: 0,
    // That rendering the documents takes most of the time is no news.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
})
