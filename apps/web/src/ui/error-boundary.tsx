import { Component, type ReactNode } from 'react'

interface Props {
  readonly children: ReactNode
  readonly fallback: (retry: () => void, error: unknown) => ReactNode
}

interface State {
  readonly failed: boolean
  readonly error?: unknown
}

/** Shows `fallback` instead of a page that throws; the rest of the console keeps working. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false }
  static getDerivedStateFromError(error: unknown): State {
    return { failed: true, error }
  }
  override render() {
    return this.state.failed
      ? this.props.fallback(() => this.setState({ failed: false }), this.state.error)
      : this.props.children
  }
}

/** A part of the console could not be loaded. The words are those of Chromium, Firefox, Safari and Vite. */
export function isLoadFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|Importing a module script failed|Unable to preload CSS/.test(
      error.message,
    )
  )
}
