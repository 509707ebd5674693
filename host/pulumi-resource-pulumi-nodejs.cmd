@echo off
node --max-semi-space-size=4 "%~dp0..\dist\provider\host\start.js" %*
