import { type ReactNode, useState } from 'react'
import { Unsaved } from '../../app/unsaved.ts'

/** Counts as unsaved, to the overlay around it, from the first change of a control inside. */
export function UnsavedInput({ children }: { readonly children: ReactNode }) {
  const [isChanged, setChanged] = useState(false)
  return (
    <div
      style={{ display: 'contents' }}
      onInput={() => setChanged(true)}
      onChange={() => setChanged(true)}
    >
      <Unsaved when={isChanged} />
      {children}
    </div>
  )
}
