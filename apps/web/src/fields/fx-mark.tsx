import { useText } from '../app/text-context.ts'

/** Marks a field whose value is computed. */
export function FxMark() {
  const { t } = useText()
  return (
    <abbr className="jw-fx" title={t('field.derived')}>
      fx
    </abbr>
  )
}
