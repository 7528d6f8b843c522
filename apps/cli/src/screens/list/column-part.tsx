import { t } from '@jiaowu/api/texts/index'
import { Box } from 'ink'
import { useState } from 'react'
import { Keys, offer, Text, useBindings } from '../ui.tsx'
import type { ListPartProps } from './list-props.ts'

const height = 12

/** The columns of the list: space shows or hides one, in the order of the definition. */
export function ColumnPart({ config, locale, shownColumns, setColumns, open }: ListPartProps) {
  const [at, setAt] = useState(0)
  const fields = config.fields.filter(({ isList }) => isList === 1)
  const from = Math.max(0, Math.min(at - Math.floor(height / 2), fields.length - height))
  const field = fields[at]
  const isOnly = shownColumns.length === 1
  const toggle = () => {
    if (field === undefined) return
    const isShown = shownColumns.includes(field.attrName)
    if (isShown && isOnly) return
    setColumns(
      fields
        .map(({ attrName }) => attrName)
        .filter((name) => shownColumns.includes(name) !== (name === field.attrName)),
    )
  }
  const bindings = [
    ...offer(true, '↓', t(locale, 'cli.key.move'), () =>
      setAt(Math.min(fields.length - 1, at + 1)),
    ),
    ...offer(true, '↑', '', () => setAt(Math.max(0, at - 1))),
    ...offer(true, 'space', t(locale, 'cli.key.choose'), toggle),
    ...offer(true, 'r', t(locale, 'common.reset'), () => setColumns(null)),
    ...offer(true, 'enter', t(locale, 'common.ok'), () => open(null)),
    ...offer(true, 'esc', '', () => open(null)),
  ]
  useBindings(bindings)
  return (
    <Box flexDirection="column" borderStyle="round" borderColor="cyan" paddingX={1}>
      <Text bold>{t(locale, 'cli.list.columns')}</Text>
      {fields.slice(from, from + height).map(({ attrName, uiLabel }, i) => (
        <Text key={attrName} inverse={from + i === at}>
          {from + i === at ? '❯ ' : '  '}
          {shownColumns.includes(attrName) ? '[x]' : '[ ]'} {uiLabel}
        </Text>
      ))}
      <Keys bindings={bindings} />
    </Box>
  )
}
