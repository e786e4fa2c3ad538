/** What is shown when a screen fails to render. */
import { Component, type ReactNode } from 'react'
import { site } from '../site.ts'
import { DetailLayout } from './DetailLayout.tsx'

/** Shows 'Unexpected Application Error!' in place of a screen that failed to render. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <DetailLayout kind="message">
        <div role="alert">
          <h1 tabIndex={-1}>{site.words.failed}</h1>
        </div>
      </DetailLayout>
    )
  }
}
