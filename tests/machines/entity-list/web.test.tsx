// @vitest-environment happy-dom
import { entityListWeb } from './web.tsx'
import { gateWeb } from '../../surfaces/web/gate-web.tsx'

const other = 'opens a form or an import: their machines'
const theirs = 'views and columns: the paths of the machine views'
gateWeb(entityListWeb, {
  survivors: {
    'jw-head-menu': 'conditions of a column: tests/journeys/list.test.ts',
    'jw-views': theirs,
    'jw-saved': theirs,
    'jw-toolbar button 列': theirs,
    'jw-toolbar button 打印列表': 'prints by a call of its own: tests/journeys/list.test.ts',
    'jw-toolbar button 新增': other,
    'jw-toolbar button 导入': other,
    'jw-toolbar button 编辑': other,
    'jw-row-actions button 编辑': other,
    'jw-state button 新增': other,
    'button 关闭': 'closes a toast, which also closes by itself',
    'jw-state__label': 'the text beside a spinner',
    'jw-pager title': 'names of icons',
    'jw-table th': 'heading of the column of buttons',
    'jw-pager__jump': 'a third way to turn pages, beside numbers and arrows',
    'jw-pager select': 'the labels of sizes; their value is compared',
    'jw-query__control input no': 'the second search field: the model types in the first',
    'jw-sort button no': 'the second column: the model sorts by the first',
    'jw-pager button 下一页': 'the model turns pages by number; `offers` shows the button',
  },
})
