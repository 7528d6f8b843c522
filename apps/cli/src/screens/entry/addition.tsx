import type { Field } from '@jiaowu/api/entity/config'
import type { Locale } from '@jiaowu/api/locale'
import { messageText, t } from '@jiaowu/api/texts/index'
import type { EntryEvent } from '@jiaowu/machines/entry-sheet/machine'
import type { EntryView } from '@jiaowu/machines/entry-sheet/view'
import type { LookupPorts } from '@jiaowu/machines/lookup/ports'
import { Box } from 'ink'
import { useState } from 'react'
import { prompts } from '../../fields/prompts.tsx'
import { Fault, Keys, offer, Text, useBindings } from '../ui.tsx'

/** The records that rows can be added for. */
export interface Addition {
  readonly tag: string
  readonly find: LookupPorts['find']
  /** Label of the relation: 学生. */
  readonly name: string
  /** Fields of the related entity, by which its records are chosen. */
  readonly fields: readonly Field[]
}

interface Props {
  readonly addition: Addition
  readonly view: EntryView
  readonly send: (event: EntryEvent) => void
  readonly locale: Locale
  readonly isCovered: boolean
}

/** Values of the related entity, such as a class, for whose records rows are added. */
export function AdditionPart({ addition, view, send, locale, isCovered }: Props) {
  const [at, setAt] = useState(0)
  const [isOpen, setOpen] = useState(false)
  const { tag, name, fields, find } = addition
  const isAsking = view.step === 'adding'
  const add = t(locale, 'entry.add', { name })
  const move = (by: number) => setAt((at + by + fields.length) % Math.max(1, fields.length))
  const bindings = [
    ...offer(isAsking && fields.length > 1, 'down', t(locale, 'cli.key.move'), () => move(1)),
    ...offer(isAsking && fields.length > 1, 'up', '', () => move(-1)),
    ...offer(isAsking && view.can.confirmAdd, '^s', add, () => send({ type: 'add.confirm' })),
    ...offer(view.can.cancel, 'esc', t(locale, 'common.cancel'), () =>
      send({ type: 'ask.cancel' }),
    ),
  ]
  useBindings(bindings, !isOpen && !isCovered)
  return (
    <Box flexDirection="column" marginTop={1}>
      <Text bold>{add}</Text>
      <Text dimColor>
        {t(locale, 'entry.addHint', {
          name,
          labels: fields.map(({ uiLabel }) => uiLabel).join('、'),
        })}
      </Text>
      {fields.map((field, index) => {
        const Prompt = prompts[field.uiType]
        const { attrName, uiLabel } = field
        return (
          <Box key={attrName}>
            <Text>
              {index === at ? '❯ ' : '  '}
              {uiLabel}:{' '}
            </Text>
            <Prompt
              tag={tag}
              field={field}
              value={view.from[attrName] ?? null}
              values={view.from}
              isActive={isAsking && index === at && !isCovered}
              onChange={(value) =>
                send({ type: 'add.change', from: { ...view.from, [attrName]: value } })
              }
              find={find}
              locale={locale}
              onOpen={setOpen}
            />
          </Box>
        )
      })}
      {view.fault === null ? null : <Fault>{messageText(locale, view.fault)}</Fault>}
      {isOpen ? null : <Keys bindings={bindings} />}
    </Box>
  )
}
