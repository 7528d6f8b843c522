// Whether a text column holds texts of several lines.
import { readComment } from './choices.ts'
import type { InspectedColumn } from './inspect.ts'

/** Names of texts that people write in several lines. */
const longNames =
  /(^|_)(desc|descr|description|remarks?|content|contents|comments?|notes?|memo|bio|biography|intro|introduction|summary|abstract|body|details?|message|feedback|opinion|reason|instructions?|html|json|xml|sql|script|text|payload|params?|stack_?trace|exception|syllabus)$|(Desc|Description|Remarks?|Content|Comments?|Notes?|Introduction|Summary|Body|Details?|Message|Reason)$|备注|描述|简介|内容|说明|摘要|意见|理由|原因|正文|介绍|详情|评语|补充/
/** Names of texts of one line, however long their column may be. */
const shortNames =
  /(^|_)(name|title|code|no|number|type|status|state|email|mail|phone|mobile|city|country|account|username|url|uri|path|sku|isbn|doi|color|size|unit|currency|gender|sex|label|slug|key|version|ip|language|lang|mac|zip|postcode|uid|uuid|id)$|(Name|Title|Code|Number|Type|Status|Email|Phone|Url|Path|Id)$|名称?$|编号$|编码$|姓名|标题|电话|账号|链接|路径|网址/
/** Characters that fit one line of a form. */
const oneLine = 120

/** Whether a text is written in several lines: by its stored values, else by its name and its limit. */
export function isLongText({ name, comment, length, type, stored }: InspectedColumn): boolean {
  const { label } = readComment(comment)
  const isNamedLong = longNames.test(name) || longNames.test(label)
  if (length !== null && length <= 64) return false
  if (type === 'citext') return false
  if (
    stored !== undefined &&
    stored.longest !== null &&
    (stored.hasLines || stored.longest > oneLine)
  )
    return true
  if (isNamedLong) return length === null || length > 128
  if (shortNames.test(name) || shortNames.test(label)) return false
  return stored === undefined || stored.longest === null ? length !== null && length > 255 : false
}
