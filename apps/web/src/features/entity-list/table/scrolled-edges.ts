import { type RefObject, useEffect, useRef, useState } from 'react'

/** Which frozen edges of a table have columns scrolled under them, as class names; and its width in px. */
export function useScrolledEdges(): {
  readonly box: RefObject<HTMLDivElement | null>
  readonly edges: string
  readonly width: number
} {
  const box = useRef<HTMLDivElement | null>(null)
  const [edges, setEdges] = useState('')
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const read = () => {
      setEdges(formatEdgeClasses(element))
      setWidth(element.clientWidth)
    }
    read()
    const watching = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(read)
    watching?.observe(element)
    if (element.firstElementChild !== null) watching?.observe(element.firstElementChild)
    element.addEventListener('scroll', read, { passive: true })
    return () => {
      watching?.disconnect()
      element.removeEventListener('scroll', read)
    }
  }, [])
  return { box, edges, width }
}

function formatEdgeClasses({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): string {
  const left = scrollLeft > 1 ? ' is-under-left' : ''
  const right = scrollLeft + clientWidth < scrollWidth - 1 ? ' is-under-right' : ''
  return left + right
}
