import { group } from '../group.ts'

/** The list as a screen of the terminal, beyond what it shares with the web. */
export const cliListTexts = group({
  'cli.list.value': ['{name}的条件', 'Condition on {name}'],
  'cli.list.grammar': [
    '值；60..90 为范围；a,b 为多个；留空移除',
    'value; 60..90 is a range; a,b are several; empty removes it',
  ],
  'cli.list.keys': ['按键', 'Keys'],
  'cli.list.actions': ['操作', 'actions'],
  'cli.list.buttons': ['按钮', 'buttons'],
  'cli.list.columns': ['列', 'columns'],
  'cli.list.otherColumns': ['更多列', 'other columns'],
  'cli.list.views': ['视图', 'views'],
  'cli.list.clear': ['清除条件', 'clear'],
  'cli.list.sortMore': ['再按一列排序', 'sort by one more'],
  'cli.list.group': ['分组', 'group'],
  'cli.list.figures': ['汇总', 'figures'],
  'cli.list.size': ['每页条数', 'page size'],
  'cli.list.open': ['在浏览器打开：{address}', 'Open in a browser: {address}'],
  'cli.list.saved': ['已保存到 {path}', 'Saved to {path}'],
  'cli.list.hidden': ['未显示：{names}', 'not shown: {names}'],
})
