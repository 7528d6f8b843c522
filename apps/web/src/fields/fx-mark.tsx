import { useApp } from '../app/app-context.tsx'

/** Marks a field whose value is computed. */
export function FxMark() {
  const { t } = useApp()
  return (
    <abbr className="jw-fx" title={t('field.derived')}>
      fx
    </abbr>
  )
}
