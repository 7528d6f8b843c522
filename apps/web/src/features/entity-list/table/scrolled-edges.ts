import { type RefObject, useEffect, useRef, useState } from 'react'

/** Which frozen edges of a table have columns scrolled under them, as class names. */
export function useScrolledEdges(): {
  readonly box: RefObject<HTMLDivElement | null>
  readonly edges: string
} {
  const box = useRef<HTMLDivElement | null>(null)
  const [edges, setEdges] = useState('')
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const read = () => setEdges(edgesOf(element))
    const watching = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(read)
    watching?.observe(element)
    if (element.firstElementChild !== null) watching?.observe(element.firstElementChild)
    element.addEventListener('scroll', read, { passive: true })
    return () => {
      watching?.disconnect()
      element.removeEventListener('scroll', read)
    }
  }, [])
  return { box, edges }
}

function edgesOf({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): string {
  const left = scrollLeft > 1 ? ' is-under-left' : ''
  const right = scrollLeft + clientWidth < scrollWidth - 1 ? ' is-under-right' : ''
  return left + right
}
