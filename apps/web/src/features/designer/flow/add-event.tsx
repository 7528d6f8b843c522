import { Button, Menu, MenuItem } from '@blueprintjs/core'
import { Add } from '@blueprintjs/icons'
import type { Flow, FlowEvent } from '@jiaowu/api/entity/definition/flow'
import { eventWords } from '@jiaowu/machines/designer/flow/states'
import { buildEvent } from '@jiaowu/machines/designer/flow/vocabulary'
import { useText } from '../../../app/text-context.ts'
import { Popover } from '../../../ui/overlays/popover.tsx'
import type { FlowSources } from './use-flow-sources.ts'

/** Adds an event to a state by a word that offices know; each can be changed afterwards. */
export function AddEvent({
  flow,
  path,
  name,
  sources,
  onAdd,
}: {
  readonly flow: Flow
  readonly path: string
  /** Name of the state. */
  readonly name: string
  readonly sources: FlowSources
  readonly onAdd: (path: string, key: string, event: FlowEvent) => void
}) {
  const { t } = useText()
  return (
    <Popover
      content={
        <Menu>
          {eventWords.map((word) => (
            <MenuItem
              key={word}
              text={t(`design.event.${word}`)}
              label={word}
              onClick={() =>
                onAdd(path, word, buildEvent(word, flow, path, sources.roles[0]?.value ?? 'ROLE'))
              }
            />
          ))}
        </Menu>
      }
    >
      <Button
        size="small"
        variant="minimal"
        icon={<Add size={14} />}
        text={t('designer.flow.event.add')}
        aria-label={t('designer.flow.event.addTo', { state: name })}
      />
    </Popover>
  )
}
