import { Button } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import type { GridEvent } from '@jiaowu/machines/grid-edit/context'
import { useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { Popover } from '../../ui/overlays/popover.tsx'

interface Props {
  readonly isOn: boolean
  readonly send: (event: GridEvent) => void
}

/** Finds a text in the selected cells and replaces it. */
export function ReplaceButton({ isOn, send }: Props) {
  const { t } = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      isOpen={isOpen}
      onInteraction={setOpen}
      placement="bottom-start"
      content={
        <ReplaceForm
          onReplace={(find, by) => {
            setOpen(false)
            send({ type: 'cells.replace', find, by })
          }}
        />
      }
    >
      <Button
        variant="minimal"
        icon={<Search />}
        aria-label={t('grid.replace')}
        title={t('grid.replace')}
        disabled={!isOn}
      />
    </Popover>
  )
}

function ReplaceForm({ onReplace }: { readonly onReplace: (find: string, by: string) => void }) {
  const { t } = useText()
  const [find, setFind] = useState('')
  const [by, setBy] = useState('')
  return (
    <form
      className="jw-cells__replace"
      aria-label={t('grid.replace')}
      onSubmit={(event) => {
        event.preventDefault()
        if (find !== '') onReplace(find, by)
      }}
    >
      <label>
        {t('grid.find')}
        <input
          className="bp6-input"
          value={find}
          autoFocus
          onChange={(event) => setFind(event.currentTarget.value)}
        />
      </label>
      <label>
        {t('grid.replaceBy')}
        <input
          className="bp6-input"
          value={by}
          onChange={(event) => setBy(event.currentTarget.value)}
        />
      </label>
      <Button
        type="submit"
        intent="primary"
        text={t('grid.replaceSelected')}
        disabled={find === ''}
      />
    </form>
  )
}
