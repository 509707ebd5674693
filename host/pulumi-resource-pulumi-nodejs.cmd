@echo off
node "%~dp0..\dist\provider\host\start.js" %*
