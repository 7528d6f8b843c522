import { type DragEvent, type ReactNode, useRef, useState } from 'react'

interface Props {
  readonly onFiles: (files: readonly File[]) => void
  readonly multiple?: boolean
  /** File types for the file dialog, such as `.xlsx,.csv`. */
  readonly accept?: string
  readonly disabled?: boolean
  readonly label: string
  readonly className?: string
  /** Content of the zone; `choose` opens the file dialog. */
  readonly children: (choose: () => void) => ReactNode
}

/** Area that takes dropped files, or files from a file dialog. */
export function DropZone({
  onFiles,
  multiple = false,
  accept,
  disabled = false,
  label,
  className = '',
  children,
}: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(0)
  const carriesFiles = (event: DragEvent) => !disabled && event.dataTransfer.types.includes('Files')
  const end = () => setOver(0)
  return (
    <div
      className={`jw-drop ${className}${over > 0 ? ' is-over' : ''}`}
      role="group"
      aria-label={label}
      onDragEnter={(event) => {
        if (carriesFiles(event)) {
          event.preventDefault()
          setOver((n) => n + 1)
        }
      }}
      onDragLeave={() => setOver((n) => Math.max(0, n - 1))}
      onDragOver={(event) => {
        if (carriesFiles(event)) event.preventDefault()
      }}
      onDrop={(event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        end()
        const files = [...event.dataTransfer.files]
        onFiles(multiple ? files : files.slice(0, 1))
      }}
    >
      {children(() => input.current?.click())}
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        accept={accept}
        disabled={disabled}
        aria-label={label}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </div>
  )
}
