import { useEffect, useRef } from 'react'

/** Controls that take text. Choosing the mode leaves the focus on a radio button, which does not. */
const typedInto = 'input:not([type=radio], [type=checkbox], [type=file]), textarea'

/** Cells copied in a spreadsheet, or a copied file, pasted anywhere outside an input are a file. */
export function usePastedSheet(name: string, choose: (files: readonly File[]) => void): void {
  const latest = useRef(choose)
  useEffect(() => {
    latest.current = choose
  })
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (event.target instanceof Element && event.target.closest(typedInto) !== null) return
      const files = [...(event.clipboardData?.files ?? [])]
      const text = event.clipboardData?.getData('text/plain') ?? ''
      // Spreadsheets copy a picture of the cells beside their text.
      // A single line with several parts is a person of a list from a chat.
      const isText = /[\t\n]|(?:[，,、；;\s].*){2}/.test(text.trim())
      const found = isText ? [new File([text], name, { type: 'text/plain' })] : files
      if (found.length === 0) return
      event.preventDefault()
      latest.current(found)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [name])
}
