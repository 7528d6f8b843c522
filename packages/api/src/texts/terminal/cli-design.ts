/** `jiaowu design …` */
export const cliDesignTexts = {
  'cli.design': ['实体定义即代码', 'Definitions as code'],
  'cli.design.pull': [
    '把实体定义写成文件（每个实体一个）',
    'Write definitions to files, one per entity',
  ],
  'cli.design.draft': [
    '为数据库的表起草实体定义（不写表名则为尚无实体的全部表）',
    'Draft definitions of tables; of all tables without an entity when none is named',
  ],
  'cli.design.schema': ['只起草这些模式中的表', 'only tables of these schemas'],
  'cli.design.keep': [
    '由系统维护起草所建议的列（删除标志、创建人等），不询问',
    'let the server keep the columns that drafts propose (deletion flags, creators), without asking',
  ],
  'cli.design.noKeep': [
    '这些列按普通字段处理，不询问',
    'leave these columns ordinary fields, without asking',
  ],
  'cli.design.askKeep': [
    '由系统维护以上各列？删除的行将进入回收站，人和时间自动填写 (y/N) ',
    'Let the server keep the columns above? Deleted rows would go to a recycle bin, users and times be filled in (y/N) ',
  ],
  'cli.design.links': [
    '按列名和数据推断的关系作为下拉选择，不询问',
    'make relations of columns that their names and values tell, without asking',
  ],
  'cli.design.noLinks': [
    '按列名推断的列按普通字段处理，不询问',
    'leave such columns ordinary fields, without asking',
  ],
  'cli.design.askLinks': [
    '以上各列的值都在对应的表中，作为关系（按名称显示和选择）？(y/N) ',
    'All values of the columns above are in these tables. Make them relations, shown and chosen by name? (y/N) ',
  ],
  'cli.design.school': [
    'tenant_id 是学校编号：只显示本校的行，不询问',
    'tenant_id holds the school of a row: show only rows of your school, without asking',
  ],
  'cli.design.noSchool': [
    'tenant_id 按普通字段处理，不询问',
    'leave tenant_id an ordinary field, without asking',
  ],
  'cli.design.askSchool': [
    '以上各表的 tenant_id 是学校编号？是则只显示本校的行，新行写入本校编号 (y/N) ',
    'Does tenant_id of the tables above hold the school of a row? If so, only rows of your school are shown, and new rows get its number (y/N) ',
  ],
  'cli.design.schoolRows': [
    '{table}.tenant_id：本校 {rows} 行',
    '{table}.tenant_id: {rows} rows of your school',
  ],
  'cli.design.passwords': [
    '像是密码的列按输入内容保存，不询问',
    'store columns that sound like passwords as typed, without asking',
  ],
  'cli.design.noPasswords': [
    '像是密码的列不填写，不询问',
    'leave columns that sound like passwords unwritten, without asking',
  ],
  'cli.design.askPasswords': [
    '以上各列的密码按输入内容保存？拥有这些表的程序若只保存散列值，请选择否 (y/N) ',
    'Store the passwords of the columns above as typed? Say no if the program that owns the tables stores hashes (y/N) ',
  ],
  'cli.design.adopt': [
    '引入数据库的表：选择、改名、一次保存（不写表名则为尚无实体的全部表）；给出 .xlsx 或 .csv 文件则按内容建一张新表并导入',
    'Bring tables in: choose, rename, save all at once; all tables without an entity when none is named. Of a file .xlsx or .csv a new table is made, with its rows',
  ],
  'cli.design.sheetYes': [
    '没有终端可供核对：加 --yes 按起草的列建表，或加 --dry-run 只查看',
    'There is no terminal to ask on: add --yes to make the table as drafted, or --dry-run to look only',
  ],
  'cli.design.sheetHead': [
    '「{name}」（{tag}，表 form.{table}）：{rows} 行',
    '“{name}” ({tag}, table form.{table}): {rows} rows',
  ],
  'cli.design.sheetLeft': ['不引入', 'left out'],
  'cli.design.sheetAsk': [
    '更改一列（如 成绩=decimal:1、班级=relation:EDU_CLASS、备注=-），回车建表并导入：',
    'Change a column (Mark=decimal:1, Class=relation:EDU_CLASS, Notes=-), or Enter to make the table and import: ',
  ],
  'cli.design.sheetColumn': [
    '一列的类型，如 成绩=decimal:1、班级=relation:EDU_CLASS、备注=-（不引入）；可多次',
    'type of a column, such as Mark=decimal:1, Class=relation:EDU_CLASS, Notes=- (left out); repeatable',
  ],
  'cli.design.badColumn': [
    '「{text}」不是一列的更改：先写列名或列的字母，再写 = 和类型（{kinds}）',
    '“{text}” is no change of a column: its label or letter, then = and a type ({kinds})',
  ],
  'cli.design.sheetName': ['新实体的名称（表格文件）', 'name of the new entity (sheets)'],
  'cli.design.sheetTag': ['新实体的标识（表格文件）', 'tag of the new entity (sheets)'],
  'cli.design.sheetDry': [
    '只显示起草的列，不建表（表格文件）',
    'show the drafted columns and make nothing (sheets)',
  ],
  'cli.design.adoptYes': [
    '没有终端可供选择：加 --yes 引入所列的全部表',
    'There is no terminal to choose on: add --yes to bring in all of the tables',
  ],
  'cli.key.schema': ['全选 {schema}', 'all of {schema}'],
  'cli.key.rename': ['改名', 'rename'],
  'cli.key.keeps': ['系统维护', 'kept columns'],
  'cli.key.owns': ['学校编号', 'schools'],
  'cli.key.fixed': ['整表固定值', 'values of all rows'],
  'cli.key.links': ['推断的关系', 'relations'],
  'cli.key.passwords': ['填写密码', 'passwords'],
  'cli.design.table': ['表', 'table'],
  'cli.design.noTables': [
    '没有可以起草的表：所选模式为空，或每张表都已有实体',
    'There are no tables to draft: the schemas are empty, or every table has an entity',
  ],
  'cli.design.drafted': [
    '已为 {n} 张表写入 {dir}；接着运行 design lint 和 design apply',
    '{n} drafts written to {dir}; go on with design lint and design apply',
  ],
  'cli.design.lint': ['检查定义文件', 'Check definition files'],
  'cli.design.prove': [
    '按现在的角色和人员检查本校的流程',
    'Prove the flows of the school with its roles and people of now',
  ],
  'cli.design.moveCases': [
    '列出按旧流程进行的申请；用 --map 让它们按新流程继续',
    'list cases that run by an earlier flow; --map moves them to the flow of now',
  ],
  'cli.move.map': ['旧状态=新状态，可多次', 'old state=new state; repeatable'],
  'cli.move.dryRun': ['只列出，不移动', 'list only'],
  'cli.move.state': ['旧流程的状态', 'State of the earlier flow'],
  'cli.move.count': ['件数', 'Cases'],
  'cli.move.to': ['新流程的状态', 'State of the flow of now'],
  'cli.move.stays': ['按旧流程办完', 'ends as it began'],
  'cli.move.ask': ['让这 {n} 件按新流程继续？', 'Move these {n} cases?'],
  'cli.move.done': ['{n} 件按新流程继续', '{n} cases moved'],
  'cli.design.proven': ['{n} 个流程，没有问题', '{n} flows, nothing found'],
  'cli.design.diff': [
    '比较文件与服务器上的定义',
    'Compare files with the definitions on the server',
  ],
  'cli.design.apply': ['把文件中的定义保存到服务器', 'Save the definitions in files to the server'],
  'cli.design.dir': [
    '文件所在的文件夹（默认 design）',
    'the folder of the files (design by default)',
  ],
  'cli.design.offline': [
    '不询问服务器，只检查文件本身',
    'do not ask the server; check the file alone',
  ],
  'cli.design.exitCode': ['有差异时以 7 结束', 'end with 7 when there are differences'],
  'cli.design.dryRun': ['只显示会做什么', 'only say what would be done'],
  'cli.design.own': ['只取自己修改过的定义', 'only definitions that were made or changed here'],
  'cli.design.note': ['写入修订记录的说明', 'a note for the revision'],
  'cli.design.noFiles': ['{dir} 中没有定义文件', 'There are no definition files in {dir}'],
  'cli.design.notJson': [
    '{file}：不是有效的 JSON（{reason}）',
    '{file}: not valid JSON ({reason})',
  ],
  'cli.design.pulled': [
    '已写入 {n} 个文件，{same} 个没有变化',
    '{n} files written, {same} unchanged',
  ],
  'cli.design.clean': ['{n} 个文件，没有错误', '{n} files, no errors'],
  'cli.design.same': ['没有差异', 'No differences'],
  'cli.design.unsaved': ['有错误，未保存', 'not saved: it has errors'],
  'cli.design.breaks': [
    '会影响其他功能，未保存（加 --yes 继续）',
    'not saved: it would break something (go on with --yes)',
  ],
  'cli.design.status.new': ['新增', 'new'],
  'cli.design.status.changed': ['修改', 'changed'],
  'cli.design.status.same': ['相同', 'the same'],
  'cli.design.status.refused': ['未保存', 'not saved'],
  'cli.design.summary': [
    '新增 {added}，修改 {changed}，相同 {same}，未保存 {refused}',
    '{added} new, {changed} changed, {same} the same, {refused} not saved',
  ],
  'cli.design.wouldBe': ['（试运行，没有保存）', '(dry run: nothing was saved)'],
  'cli.design.match': [
    '只引入名称相符的表，如 student*、edfi.*',
    'only tables whose names match: student*, edfi.*',
  ],
  'cli.design.first': [
    '最多引入几张；再次执行引入其余的',
    'at most so many; the next run takes the others',
  ],
  'cli.table': [
    '实体的表：新建、加列、归档、撤销',
    'Tables of entities: make them, add and archive columns, take changes back',
  ],
  'cli.table.show': ['归档的列和改动记录', 'Archived columns, and the changes so far'],
  'cli.table.new': ['新建一张空表和它的实体', 'Make an empty table with its entity'],
  'cli.table.add': ['在表中新增列', 'Add columns to the table'],
  'cli.table.archive': ['归档一列，值保留', 'Archive a column; its values are kept'],
  'cli.table.restore': ['恢复归档的列', 'Restore an archived column'],
  'cli.table.drop': ['彻底删除归档的列', 'Drop an archived column for good'],
  'cli.table.undo': [
    '撤销最近的（或指定的）改动',
    'Take the last change back, or the one that is named',
  ],
  'cli.table.takeBack': [
    '撤销在本系统中建立的整张表',
    'Take a whole table back that was made here',
  ],
  'cli.table.column': [
    '列，如 宿舍=text:20、楼层=integer、类别=choice:调宿,退宿、学生=relation:EDU_STUDENT',
    'a column, as Room=text:20, Floor=integer, Kind=choice:move,leave, Student=relation:EDU_STUDENT',
  ],
  'cli.table.required': ['必填的列', 'a column that is required'],
  'cli.table.unique': ['不能重复的列', 'a column that is unique'],
  'cli.table.default': ['列的默认值', 'the default of a column'],
  'cli.table.dryRun': ['只显示将要做的事和语句', 'show what would be done and the statements only'],
  'cli.table.ask': ['就这样做吗？', 'Do this?'],
  'cli.table.id': ['编号', 'Id'],
  'cli.table.change': ['改动', 'Change'],
  'cli.table.columns': ['列', 'Columns'],
  'cli.table.time': ['时间', 'Time'],
  'cli.table.user': ['操作人', 'By'],
} as const
