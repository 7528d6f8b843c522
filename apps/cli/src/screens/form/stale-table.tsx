import { t } from '@jiaowu/api/texts/index'
import type { EntityFormView } from '@jiaowu/machines/entity-form/view'
import { Box } from 'ink'
import { useState } from 'react'
import { cellText } from '../../fields/index.ts'
import { Keys, offer, Text, useBindings } from '../ui.tsx'
import type { FormScreenProps } from './form-screen-props.ts'

/**
 * Conflict after another user saved the record: for each field that differs, the user chooses
 * "mine" or "theirs".
 */
export function StaleTable({
  view,
  actor,
  locale,
  isCovered = false,
}: FormScreenProps & { readonly view: EntityFormView }) {
  const [at, setAt] = useState(0)
  const fields = view.stale ?? []
  const here = fields[at]
  const bindings = [
    ...offer(fields.length > 1, '↓', t(locale, 'cli.key.move'), () =>
      setAt(Math.min(fields.length - 1, at + 1)),
    ),
    ...offer(true, '↑', '', () => setAt(Math.max(0, at - 1))),
    ...offer(here !== undefined, '←', t(locale, 'cli.stale.mine'), () => {
      if (here !== undefined)
        actor.send({ type: 'stale.choose', attrName: here.field.attrName, side: 'mine' })
    }),
    ...offer(here !== undefined, '→', t(locale, 'cli.stale.theirs'), () => {
      if (here !== undefined)
        actor.send({ type: 'stale.choose', attrName: here.field.attrName, side: 'theirs' })
    }),
    ...offer(view.can.saveStale, '^s', t(locale, 'common.save'), () =>
      actor.send({ type: 'stale.save' }),
    ),
    ...offer(true, 'esc', t(locale, 'common.cancel'), () => actor.send({ type: 'stale.cancel' })),
  ]
  useBindings(bindings, !isCovered)
  return (
    <Box flexDirection="column">
      <Text color="yellow" bold>
        {t(locale, 'cli.stale.title')}
      </Text>
      {fields.map(({ field, mine, theirs, side }, index) => {
        const show = (value: typeof mine) => cellText(field, value, locale) || '-'
        return (
          <Text key={field.attrName} bold={index === at}>
            {index === at ? '❯ ' : '  '}
            {field.uiLabel}
            {'  '}
            {side === 'mine' ? '(•)' : '( )'} {t(locale, 'cli.stale.mine')} {show(mine)}
            {'  '}
            {side === 'theirs' ? '(•)' : '( )'} {t(locale, 'cli.stale.theirs')} {show(theirs)}
          </Text>
        )
      })}
      <Keys bindings={bindings} />
    </Box>
  )
}
