import type { Field } from '@jiaowu/api/entity/config'
import { problemText, toProblem } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import {
  conditionLabel,
  shownConditions,
} from '@jiaowu/machines/entity-list/conditions/shown-conditions'
import { Box } from 'ink'
import { useState } from 'react'
import { CommandError } from '../../exit.ts'
import { TextInput } from '../text-input.tsx'
import { Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import type { ListPartProps } from './list-props.ts'

/** A condition on one field, typed as `--filter` takes it and read with the field's operator. */
export function ValuePart({
  field,
  config,
  view,
  locale,
  send,
  open,
  readCondition,
}: ListPartProps & { readonly field: Field }) {
  const { attrName } = field
  const now = shownConditions(config, view.applied, view.rows, locale)
  const applied = now.find((each) => each.attrName === attrName)
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [isReading, setReading] = useState(false)
  const search = (value: unknown) => {
    open(null)
    send({ type: 'query.change', attrName, value })
    send({ type: 'query.search' })
  }
  const submit = () => {
    if (text.trim() === '') {
      open(null)
      send({ type: 'condition.remove', attrName })
      return
    }
    setReading(true)
    readCondition(config, field, text.trim()).then(search, (error: unknown) => {
      setReading(false)
      setFault(
        error instanceof CommandError ? error.message : problemText(locale, toProblem(error)),
      )
    })
  }
  const bindings = [
    ...offer(!isReading, 'enter', t(locale, 'common.search'), () => {}),
    ...offer(true, 'esc', t(locale, 'common.cancel'), () => open(null)),
  ]
  useBindings(bindings)
  return (
    <Box flexDirection="column" borderStyle="round" borderColor="cyan" paddingX={1}>
      <Text bold>{t(locale, 'cli.list.value', { name: conditionLabel(field) })}</Text>
      <TextInput
        value={text}
        onChange={setText}
        onSubmit={submit}
        isActive={!isReading}
        placeholder={applied?.text ?? ''}
      />
      <Text dimColor>{t(locale, 'cli.list.grammar')}</Text>
      {fault === null ? null : <Fault>{fault}</Fault>}
      <Keys bindings={bindings} />
    </Box>
  )
}
