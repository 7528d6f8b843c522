import { type ReactNode, useEffect, useRef } from 'react'

/** What a drawer shows at one step. When the step's buttons go the focus stays in the drawer, so that Escape and Tab go on working. */
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
