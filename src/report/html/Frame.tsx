/** The frame of every report: its head, its title, and what is in it. */
import type { ReactNode } from 'react'

/** The style of a report, and a Content Security Policy that allows it. */
export interface Look {
  style: string
  policy: string
}

interface FrameProps {
  /** What the tab of the browser says. */
  tab: string
  title: string
  look: Look
  children: ReactNode
}

export function Frame({ tab, title, look, children }: FrameProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta httpEquiv="Content-Security-Policy" content={look.policy} />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>{tab}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a file of the project, no data */}
        <style dangerouslySetInnerHTML={{ __html: look.style }} />
      </head>
      <body>
        <main className="index report">
          <header className="masthead">
            <h1>{title}</h1>
            <p>ManyURLs</p>
          </header>

          {children}
        </main>
      </body>
    </html>
  )
}
