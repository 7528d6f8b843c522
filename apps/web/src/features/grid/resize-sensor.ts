/**
 * Stands in for `interactions/resizeSensor` of @blueprintjs/table, with its interface
 * (docs/decisions/0002-html-table.md).
 */
export const ResizeSensor = {
  attach: (element: HTMLElement, callback: () => void): (() => void) => {
    let frame = 0
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(callback)
    })
    observer.observe(element)
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
    }
  },
}
