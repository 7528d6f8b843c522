-- MySQL dump 10.13  Distrib 8.4.2, for Linux (x86_64)
--
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!50503 SET NAMES utf8mb4 */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
DROP TABLE IF EXISTS `student`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
CREATE TABLE `student` (
  `id` int unsigned NOT NULL AUTO_INCREMENT COMMENT '编号',
  `no` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT '学号; it''s unique',
  `name` varchar(50) DEFAULT '',
  `class_id` int unsigned DEFAULT NULL,
  `sex` enum('男','女','it''s') DEFAULT '男',
  `hobbies` set('a','b') DEFAULT NULL,
  `in_school` tinyint(1) NOT NULL DEFAULT '1',
  `kind` tinyint(1) DEFAULT '2' COMMENT '1本科 2专科',
  `flag` bit(1) NOT NULL DEFAULT b'0',
  `mask` bit(12) DEFAULT NULL,
  `fee` decimal(10,2) unsigned DEFAULT '0.00',
  `score` double DEFAULT NULL,
  `born` date NOT NULL,
  `joined` datetime(3) DEFAULT CURRENT_TIMESTAMP(3),
  `seen` timestamp NULL DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP,
  `photo` blob,
  `extra` json DEFAULT NULL,
  `big` bigint unsigned DEFAULT NULL,
  `year` year DEFAULT NULL,
  `full_name` varchar(80) GENERATED ALWAYS AS (concat(`no`,_utf8mb4' ',ifnull(`name`,_utf8mb4''))) STORED,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_no` (`no`),
  KEY `name` (`name`(10)),
  FULLTEXT KEY `ft` (`name`),
  CONSTRAINT `fk_class` FOREIGN KEY (`class_id`) REFERENCES `class` (`id`) ON DELETE SET NULL ON UPDATE RESTRICT,
  CONSTRAINT `chk` CHECK ((`score` >= -(1)))
) ENGINE=InnoDB AUTO_INCREMENT=42 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci COMMENT='学生; a \'list\''
/*!50100 PARTITION BY HASH (`id`) PARTITIONS 4 */;
LOCK TABLES `student` WRITE;
/*!40000 ALTER TABLE `student` DISABLE KEYS */;
INSERT INTO `student` (`id`, `no`, `name`, `class_id`, `sex`, `hobbies`, `in_school`, `kind`, `flag`, `mask`, `fee`, `score`, `born`, `joined`, `seen`, `photo`, `extra`, `big`, `year`) VALUES
(0,'A;1','O\'Neil \"x\"\n二\\',NULL,'女','a,b',1,2,_binary '\0',0xFFF,'12.50',-1.5e-3,'2001-02-03','2020-01-02 03:04:05.678','2020-06-01 00:00:00',_binary 'a\0\'b','{\"a\": [1, 2]}',18446744073709551615,2020),
(2,'B''2',NULL,7,'','',0,NULL,b'1',b'101',0,NULL,'0000-00-00',NULL,NULL,0x00FF,NULL,NULL,NULL);
UNLOCK TABLES;
/*!50003 SET @saved_sql_mode       = @@sql_mode */ ;
/*!50003 SET sql_mode              = 'STRICT_TRANS_TABLES' */ ;
/*!50003 SET sql_mode              = @saved_sql_mode */ ;
CREATE TABLE `class` (
  `id` int unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(20) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB;
INSERT INTO `class` VALUES (7,'七班'),(0,'零班');
/*!50001 CREATE VIEW `roster` AS SELECT
 1 AS `no`,
 1 AS `class`*/;
DELIMITER ;;
CREATE DEFINER=`root`@`localhost` PROCEDURE `p`()
BEGIN
  select 1; select 'it''s';
END ;;
/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`%`*/ /*!50003 TRIGGER `t` BEFORE INSERT ON `student` FOR EACH ROW BEGIN SET NEW.no = 1; END */;;
DELIMITER ;
/*!50001 DROP VIEW IF EXISTS `roster`*/;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`root`@`localhost` SQL SECURITY DEFINER */
/*!50001 VIEW `roster` AS select `s`.`no` AS `no`,ifnull(`c`.`name`,_utf8mb4'. -') AS `class` from (`student` `s` join `class` `c`) where (`s`.`class_id` = `c`.`id`) */;
/*M!999999\- enable the sandbox mode */
-- Dump completed
