import { SegmentedControl } from '@blueprintjs/core'
import { useState } from 'react'
import { useText } from '../../app/text-context.ts'

export type Layout = 'tree' | 'list'
const buildLayoutKey = (tag: string): string => `jiaowu.layout.${tag}`
const isLayout = (text: string | null): text is Layout => text === 'tree' || text === 'list'

/** Layout the user chose last in this browser tab for the entity; a tree by default. */
export function useLayout(tag: string) {
  const [layout, setLayout] = useState<Layout>(() => {
    const kept = sessionStorage.getItem(buildLayoutKey(tag))
    return isLayout(kept) ? kept : 'tree'
  })
  return {
    layout,
    choose: (next: Layout) => {
      sessionStorage.setItem(buildLayoutKey(tag), next)
      setLayout(next)
    },
  }
}

export function LayoutSwitch({
  layout,
  onChoose,
}: {
  readonly layout: Layout
  readonly onChoose: (layout: Layout) => void
}) {
  const { t } = useText()
  return (
    <div className="jw-tree__switch">
      <SegmentedControl
        size="small"
        role="radiogroup"
        aria-label={t('tree.layout')}
        options={[
          { value: 'tree', label: t('tree.asTree') },
          { value: 'list', label: t('tree.asList') },
        ]}
        value={layout}
        onValueChange={(value) => {
          if (isLayout(value)) onChoose(value)
        }}
      />
    </div>
  )
}
