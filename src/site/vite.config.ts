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
    // Browsers that support light-dark(). For older ones Vite would rewrite every use of it.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    // A data: URL would need an exception in the Content Security Policy.
    assetsInlineLimit: 0,
    // Rendering the documents is expected to take most of the time.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
})
