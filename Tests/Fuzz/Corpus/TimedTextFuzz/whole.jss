#TIMERES 25
#SHIFT -0:00:00.10
0:00:01.00 0:00:02.05 VTJL \Bone\b\nmore {note}
@75 @100 D two~ \
 on
