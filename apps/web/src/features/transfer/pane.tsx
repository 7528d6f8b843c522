import { type ReactNode, useEffect, useRef } from 'react'

/**
 * Content of a drawer at one step. When the focused button disappears with its step, the pane takes
 * the focus, so that Escape and Tab keep working in the drawer.
 */
export function Pane({ step, children }: { readonly step: string; readonly children: ReactNode }) {
  const pane = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body)
      pane.current?.focus()
  }, [step])
  return (
    <div ref={pane} tabIndex={-1} className="jw-tr__pane">
      {children}
    </div>
  )
}
